/** @jsxImportSource react */
import { type FormEvent, useId, useState } from "react";
import { useLaunch } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { CopyButton } from "../parts/CopyButton.js";
import { explained } from "../parts/explained.js";
import { problemsOf } from "../form/problems.js";
import { ValueForm } from "../form/ValueForm.js";
import { isRecord } from "../../util/is-record.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { draftOf, useLaunchDraft } from "./launch-draft.js";
import { launchCommand, launchRequest, type Problems, wholeInput } from "./launch-request.js";
import { PreviousInputs } from "./PreviousInputs.js";
import { RunOptions } from "./RunOptions.js";

interface LaunchFormProps {
  workflowKey: string;
  /** JSON Schema of the input; null when any will do. */
  schema: unknown;
  /** To begin with; null = nothing. */
  initial: Record<string, unknown> | null;
  /** The run whose input that is. */
  from?: string;
}

/** Starts a run: a control for each member of the input, or all of it as JSON. The gateway checks it by the schema. */
export function LaunchForm({ workflowKey, schema, initial, from }: LaunchFormProps) {
  const { launch, isPending, error } = useLaunch();
  const { go } = useRouter();
  const id = useId();
  const hasForm = isRecord(schema);
  const { draft, isKept, change, setUnread, fill, startOver, forget } = useLaunchDraft(
    JSON.stringify(["launch", workflowKey, from ?? null]),
    () => draftOf(initial ?? {}, !hasForm),
  );
  const [problems, setProblems] = useState<Problems>({});
  // The controls are of one input; another one has others.
  const [inputs, setInputs] = useState(0);
  const request = launchRequest(workflowKey, draft);
  const { isRaw, input, unread, json, options } = draft;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblems("problems" in request ? request.problems : {});
    if ("problems" in request) return;
    try {
      const { runId } = await launch(request.params);
      forget();
      go(places.run(runId));
    } catch (refusal) {
      setProblems(problemsOf(refusal as Error, request.params.input));
    }
  };
  const renew = () => {
    setProblems({});
    setInputs(inputs + 1);
  };
  const switchRaw = () => {
    const read = isRaw ? wholeInput(json) : { input };
    // No control shows it.
    if ("problems" in read) return setProblems(read.problems);
    renew();
    change(draftOf(read.input, !isRaw));
  };
  const take = (earlier: Record<string, unknown>) => {
    renew();
    change(draftOf(earlier, isRaw));
  };
  return (
    <form className="card launch" onSubmit={(event) => void submit(event)} noValidate>
      <div className="node-head">
        <h2>Start a run</h2>
        {hasForm && (
          <button type="button" className="plain" onClick={switchRaw}>
            {isRaw ? "As a form" : "As JSON"}
          </button>
        )}
      </div>
      {from !== undefined && (
        <p className="hint">
          With the input of run <Link to={places.run(from)}>{shown(from)}</Link>.
        </p>
      )}
      {isKept && (
        <p className="hint">
          What you write is kept in this tab until it is started.{" "}
          <button
            type="button"
            className="plain"
            onClick={() => {
              renew();
              startOver();
            }}
          >
            Begin anew
          </button>
        </p>
      )}
      <PreviousInputs workflowKey={workflowKey} onChoose={take} />
      {isRaw ? (
        <div className="field">
          <label htmlFor={id}>Input, as JSON</label>
          <textarea
            id={id}
            className="code"
            rows={12}
            spellCheck={false}
            value={json}
            aria-invalid={problems["json"] !== undefined}
            onChange={(event) => change({ json: event.target.value })}
          />
          {problems["json"] !== undefined && <Problem text={problems["json"]} />}
        </div>
      ) : (
        <ValueForm
          key={inputs}
          schema={schema}
          value={input}
          problems={problems}
          unread={unread}
          setUnread={setUnread}
          onChange={(value) => change({ input: isRecord(value) ? value : {} })}
          onFill={(value) => fill(isRecord(value) ? value : {})}
        />
      )}
      {!isRaw && hasForm && isEmpty(schema) && <p className="hint">It takes no input.</p>}
      <RunOptions options={options} problems={problems} onChange={(next) => change({ options: next })} />
      {problems["unread"] !== undefined && <Problem text={problems["unread"]} />}
      {error !== undefined && <Problem text={explained(error)} />}
      <div className="buttons">
        <ActionButton method="launchRun" type="submit" icon="play" look="main" isDisabled={isPending}>
          Start
        </ActionButton>
        {"params" in request && (
          <CopyButton
            text={launchCommand(request.params, options.runId)}
            what="the command line for this"
            label="Copy command"
          />
        )}
      </div>
    </form>
  );
}

function isEmpty({
  properties,
  anyOf,
  oneOf,
  allOf,
  additionalProperties,
}: Record<string, unknown>): boolean {
  const hasOther = [anyOf, oneOf, allOf, additionalProperties].some(Boolean);
  return !hasOther && (!isRecord(properties) || Object.keys(properties).length === 0);
}
