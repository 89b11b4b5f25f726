/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import { useLaunch } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { CopyButton } from "../parts/CopyButton.js";
import { explained } from "../parts/explained.js";
import { problemsOf } from "../form/problems.js";
import { WrittenForm } from "../form/WrittenForm.js";
import { writtenOf } from "../form/written.js";
import { isRecord } from "../../util/is-record.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { useLaunchDraft } from "./launch-draft.js";
import { launchCommand, launchRequest, type Problems } from "./launch-request.js";
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

/** Starts a run. What the schema says of the input is asked for here, and the gateway checks its form once more. */
export function LaunchForm({ workflowKey, schema, initial, from }: LaunchFormProps) {
  const { launch, isPending, error } = useLaunch();
  const { go } = useRouter();
  const { draft, isKept, write, choose, startOver, forget } = useLaunchDraft(
    JSON.stringify(["launch", workflowKey, from ?? null]),
    () => writtenOf(initial ?? {}, !isRecord(schema)),
  );
  const [problems, setProblems] = useState<Problems>({});
  // The controls are of one input; another one has others.
  const [inputs, setInputs] = useState(0);
  const request = launchRequest(workflowKey, draft);
  const { input, options } = draft;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblems("problems" in request ? request.problems : {});
    if ("problems" in request) return;
    const { misfits, misfitText } = await import("../form/misfits.js");
    const known = misfits(schema, request.params.input);
    if (Object.keys(known).length > 0) {
      const whole = input.text === undefined ? "What is marked above does not fit." : misfitText(known);
      return setProblems({ ...known, "": whole });
    }
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
  const take = (earlier: Record<string, unknown>) => {
    renew();
    write(() => writtenOf(earlier, input.text !== undefined));
  };
  return (
    <form className="card launch" onSubmit={(event) => void submit(event)} noValidate>
      <h2>Start a run</h2>
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
      <WrittenForm
        key={inputs}
        schema={schema}
        name="Input"
        written={input}
        problems={problems}
        onChange={write}
      />
      <RunOptions options={options} problems={problems} onChange={choose} />
      {problems[""] !== undefined && <Problem text={problems[""]} />}
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
