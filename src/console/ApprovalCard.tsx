/** @jsxImportSource react */
import { type FormEvent, useId, useState } from "react";
import { ClientError } from "../client/index.js";
import type { ApprovalRow } from "../model/approval.js";
import type { Answer } from "../react/index.js";
import { Choice, type Chosen, initialChoice, readChoice } from "./Choice.js";
import { Since, shown } from "./shown-parts.js";
import { runHref } from "./use-route.js";

interface ApprovalCardProps {
  approval: ApprovalRow;
  /** @param shownApproval the question as it stands on the page */
  onDecide(shownApproval: ApprovalRow, answer: Answer): Promise<unknown>;
}

/** Refusals that mean: what stands here is old. */
const EXPLAINED: Readonly<Record<string, string>> = {
  REQUEST_CHANGED:
    "The question has changed since it was shown here, so your answer was not taken. Read the new one.",
  ALREADY_DECIDED: "Another person has decided this already; the first decision stands.",
  NODE_NOT_WAITING: "This waits no more: it timed out, or the run continued without it.",
  RUN_NOT_ACTIVE: "The run has ended meanwhile.",
};

/** One question, and the form to answer it. The answer is to what stands here, whatever is asked by then. */
export function ApprovalCard({ approval, onDecide }: ApprovalCardProps) {
  const [question, setQuestion] = useState(approval);
  const [chosen, setChosen] = useState<Chosen>(() => initialChoice(approval));
  const [note, setNote] = useState("");
  const [isDenying, setDenying] = useState(false);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const { runId, nodeId, request, requestedAtMs, allowedUsers, allowedScopes } = question;
  const title = shown(request.title);
  const hasChanged = approval.requestHash !== question.requestHash;

  const showNew = () => {
    setQuestion(approval);
    setChosen(initialChoice(approval));
    setDenying(false);
    setProblem(null);
  };
  const decide = async (approved: boolean) => {
    const choice = approved ? readChoice(question, chosen) : {};
    if ("problem" in choice) return setProblem(choice.problem);
    setPending(true);
    setProblem(null);
    try {
      await onDecide(question, { approved, ...(note !== "" && { note }), ...choice });
    } catch (error) {
      setProblem(explain(error as Error));
    }
    setPending(false);
    setDenying(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void decide(true);
  };

  return (
    <form className="card" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h3 id={`${id}-title`}>{title}</h3>
      {request.summary !== undefined && <p className="summary">{shown(request.summary)}</p>}
      {request.metadata !== undefined && (
        <details>
          <summary>Details</summary>
          <pre>{shown(JSON.stringify(request.metadata, null, 2))}</pre>
        </details>
      )}
      <p className="hint">
        <code>{shown(nodeId)}</code> of run <a href={runHref(runId)}>{shown(runId)}</a>, for{" "}
        <Since at={requestedAtMs} />
        {allowedUsers !== null && <>. May decide: {shown(allowedUsers.join(", "))}</>}
        {allowedScopes !== null && <>. Needs one of the scopes {shown(allowedScopes.join(", "))}</>}
      </p>
      {hasChanged && (
        <p className="problem" role="alert">
          ⚠ The question has changed since it was shown here.{" "}
          <button type="button" onClick={showNew}>
            Show the new question
          </button>
        </p>
      )}
      <Choice question={question} chosen={chosen} onChange={setChosen} />
      <label htmlFor={`${id}-note`}>Note (optional)</label>
      <textarea id={`${id}-note`} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      {problem !== null && (
        <p className="problem" role="alert">
          ✗ {shown(problem)}
        </p>
      )}
      {isDenying ? (
        <fieldset className="buttons">
          <legend>
            Deny “{title}” of run {shown(runId)}?
          </legend>
          <button
            type="button"
            className="danger"
            disabled={isPending || hasChanged}
            onClick={() => void decide(false)}
          >
            ✗ Yes, deny
          </button>
          <button type="button" onClick={() => setDenying(false)}>
            Do not deny
          </button>
        </fieldset>
      ) : (
        <div className="buttons">
          <button type="submit" disabled={isPending || hasChanged} aria-describedby={`${id}-title`}>
            ✓ {request.asksForData === true ? "Send" : "Approve"}
          </button>
          <button
            type="button"
            disabled={isPending || hasChanged}
            aria-describedby={`${id}-title`}
            onClick={() => setDenying(true)}
          >
            ✗ Deny…
          </button>
        </div>
      )}
    </form>
  );
}

function explain(error: Error): string {
  if (!ClientError.is(error)) return error.message;
  const explained = EXPLAINED[error.code];
  if (explained !== undefined) return explained;
  const scope =
    error.requiredScope === undefined ? "" : ` Your token lacks the scope ${error.requiredScope}.`;
  return `${error.message}${scope}`;
}
