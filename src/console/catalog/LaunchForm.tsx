/** @jsxImportSource react */
import { type FormEvent, useId, useMemo, useState } from "react";
import { useLaunch } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { CopyButton } from "../parts/CopyButton.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { InputField } from "./InputField.js";
import { draftOf, useLaunchDraft } from "./launch-draft.js";
import { launchCommand, launchRequest, type Problems, problemsOf, wholeInput } from "./launch-request.js";
import { PreviousInputs } from "./PreviousInputs.js";
import { RunOptions } from "./RunOptions.js";
import { readInput, schemaFields } from "./schema-fields.js";

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
  const fields = useMemo(() => schemaFields(schema), [schema]);
  const { draft, isKept, change, startOver, forget } = useLaunchDraft(
    JSON.stringify(["launch", workflowKey, from ?? null]),
    () => draftOf(initial ?? {}, fields),
  );
  const [problems, setProblems] = useState<Problems>({});
  const request = launchRequest(workflowKey, draft, fields ?? []);
  const { isRaw, texts, json, options } = draft;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblems("problems" in request ? request.problems : {});
    if ("problems" in request) return;
    try {
      const { runId } = await launch(request.params);
      forget();
      go(places.run(runId));
    } catch (refusal) {
      setProblems(
        problemsOf(
          refusal as Error,
          (fields ?? []).map(({ name }) => name),
        ),
      );
    }
  };
  const switchRaw = () => {
    const read = isRaw ? wholeInput(json) : readInput(fields ?? [], texts);
    // No control shows it; what the controls hold wrongly can be mended there later.
    if (isRaw && "problems" in read) return setProblems(read.problems);
    setProblems({});
    change({ ...("input" in read && draftOf(read.input, fields)), isRaw: !isRaw });
  };
  const take = (input: Record<string, unknown>) => {
    setProblems({});
    change({ ...draftOf(input, fields), isRaw });
  };
  return (
    <form className="card launch" onSubmit={(event) => void submit(event)} noValidate>
      <div className="node-head">
        <h2>Start a run</h2>
        {fields !== undefined && (
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
              setProblems({});
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
        fields?.map((field) => (
          <InputField
            key={field.name}
            field={field}
            text={texts[field.name] ?? ""}
            problem={problems[field.name]}
            onChange={(text) => change({ texts: { ...texts, [field.name]: text } })}
          />
        ))
      )}
      {fields?.length === 0 && !isRaw && <p className="hint">It takes no input.</p>}
      <RunOptions options={options} problems={problems} onChange={(next) => change({ options: next })} />
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
