/** @jsxImportSource react */
import { type FormEvent, useId, useState } from "react";
import type { ApprovalRow } from "../../model/approval.js";
import type { Answer } from "../../react/index.js";
import { Choice, type Chosen, initialChoice, readChoice } from "./Choice.js";
import { type PathProblems, problemsOf } from "../form/problems.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { explained } from "../parts/explained.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Problem } from "../parts/Reading.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { shown } from "../parts/text.js";
import { Since } from "../parts/Since.js";
import { useDraft } from "../parts/draft.js";

interface ApprovalCardProps {
  approval: ApprovalRow;
  /** It is one of several runs, and says of which. */
  isOfMany: boolean;
  /** Of that run, where it is known. */
  workflowName: string | undefined;
  /** @param shownApproval the question as it stands on the page */
  onDecide(shownApproval: ApprovalRow, answer: Answer): Promise<unknown>;
}

/** One question, and the form to answer it. The answer is to what stands here, whatever is asked by then. */
export function ApprovalCard({ approval, isOfMany, workflowName, onDecide }: ApprovalCardProps) {
  const [question, setQuestion] = useState(approval);
  const [chosen, setChosen] = useState<Chosen>(() => initialChoice(approval));
  const { runId, nodeId, iteration, request, requestedAtMs, allowedUsers, allowedScopes } = question;
  const [note, setNote] = useDraft(JSON.stringify([runId, nodeId, iteration]));
  const [isDenying, setDenying] = useState(false);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [problems, setProblems] = useState<PathProblems>({});
  const id = useId();
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
    setProblems({});
    try {
      await onDecide(question, { approved, ...(note !== "" && { note }), ...choice });
      setNote("");
    } catch (error) {
      setProblem(explained(error as Error));
      if ("data" in choice) setProblems(problemsOf(error as Error, choice.data));
    }
    setPending(false);
    setDenying(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void decide(true);
  };

  return (
    <form className="card request" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <div className="request-about">
        <h3 id={`${id}-title`}>{title}</h3>
        {request.summary !== undefined && <p className="summary">{shown(request.summary)}</p>}
        {request.metadata !== undefined && (
          <details>
            <summary>Details</summary>
            <pre>{shown(JSON.stringify(request.metadata, null, 2))}</pre>
          </details>
        )}
        <p className="hint">
          Asked by <code>{shown(nodeId)}</code>
          {isOfMany && (
            <>
              {" "}
              of {workflowName !== undefined && <strong>{shown(workflowName)}</strong>}{" "}
              <Link to={places.run(runId)}>
                <code>{shown(runId)}</code>
              </Link>
            </>
          )}
          , waits for <Since at={requestedAtMs} />
          {allowedUsers !== null && <>. May decide: {shown(allowedUsers.join(", "))}</>}
          {allowedScopes !== null && <>. Needs one of the scopes {shown(allowedScopes.join(", "))}</>}
        </p>
        {hasChanged && (
          <p className="problem" role="alert">
            <Icon name="warning" /> The question has changed since it was shown here.{" "}
            <button type="button" className="button" onClick={showNew}>
              Show the new question
            </button>
          </p>
        )}
      </div>
      <div className="request-answer">
        <Choice question={question} chosen={chosen} problems={problems} onChange={setChosen} />
        <label htmlFor={`${id}-note`}>Note (optional)</label>
        <textarea id={`${id}-note`} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        {problem !== null && <Problem text={problem} />}
        {isDenying ? (
          <fieldset className="buttons">
            <legend>
              Deny “{title}” of run {shown(runId)}?
            </legend>
            <ActionButton
              method="submitApproval"
              icon="cross"
              look="danger"
              isDisabled={isPending || hasChanged}
              onClick={() => void decide(false)}
            >
              Yes, deny
            </ActionButton>
            <button type="button" className="button" onClick={() => setDenying(false)}>
              Do not deny
            </button>
            <CopyButton
              text={treadleCommand("deny", [runId, nodeId], { note: note === "" ? undefined : note })}
              what="the command line for this"
            />
          </fieldset>
        ) : (
          <div className="buttons">
            <ActionButton
              method="submitApproval"
              type="submit"
              icon="check"
              look="main"
              isDisabled={isPending || hasChanged}
              describedBy={`${id}-title`}
            >
              {request.asksForData === true ? "Send" : "Approve"}
            </ActionButton>
            <ActionButton
              method="submitApproval"
              icon="cross"
              isDisabled={isPending || hasChanged}
              describedBy={`${id}-title`}
              onClick={() => setDenying(true)}
            >
              Deny…
            </ActionButton>
            <CopyButton
              text={treadleCommand("approve", [runId, nodeId], { note: note === "" ? undefined : note })}
              what="the command line for this"
            />
          </div>
        )}
      </div>
    </form>
  );
}
