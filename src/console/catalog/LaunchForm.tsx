/** @jsxImportSource react */
import { type FormEvent, useId, useMemo, useState } from "react";
import { useLaunch } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { InputField } from "./InputField.js";
import { readInput, schemaFields, textsOf } from "./schema-fields.js";

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
  const [isRaw, setRaw] = useState(fields === undefined);
  const [texts, setTexts] = useState(() => textsOf(fields ?? [], initial ?? {}));
  const [json, setJson] = useState(() => JSON.stringify(initial ?? {}, null, 2));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const input = (): Record<string, unknown> | undefined => {
    if (isRaw) {
      try {
        setProblems({});
        return JSON.parse(json) as Record<string, unknown>;
      } catch {
        setProblems({ json: "This is not JSON." });
        return undefined;
      }
    }
    const read = readInput(fields ?? [], texts);
    setProblems("problems" in read ? read.problems : {});
    return "input" in read ? read.input : undefined;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = input();
    if (given === undefined) return;
    try {
      const { runId } = await launch({ workflow: workflowKey, input: given });
      go(places.run(runId));
    } catch {
      // Shown below.
    }
  };
  const switchRaw = () => {
    const read = isRaw ? undefined : readInput(fields ?? [], texts);
    if (read !== undefined && "input" in read) setJson(JSON.stringify(read.input, null, 2));
    if (isRaw) {
      try {
        setTexts(textsOf(fields ?? [], JSON.parse(json) as Record<string, unknown>));
      } catch {
        return setProblems({ json: "This is not JSON." });
      }
    }
    setProblems({});
    setRaw(!isRaw);
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
      {isRaw ? (
        <>
          <label htmlFor={id}>Input, as JSON</label>
          <textarea
            id={id}
            className="code"
            rows={12}
            spellCheck={false}
            value={json}
            aria-invalid={problems["json"] !== undefined}
            onChange={(event) => setJson(event.target.value)}
          />
          {problems["json"] !== undefined && <Problem text={problems["json"]} />}
        </>
      ) : (
        fields?.map((field) => (
          <InputField
            key={field.name}
            field={field}
            text={texts[field.name] ?? ""}
            problem={problems[field.name]}
            onChange={(text) => setTexts({ ...texts, [field.name]: text })}
          />
        ))
      )}
      {fields?.length === 0 && !isRaw && <p className="hint">It takes no input.</p>}
      {error !== undefined && <Problem text={explained(error)} />}
      <div className="buttons">
        <ActionButton method="launchRun" type="submit" icon="play" look="main" isDisabled={isPending}>
          Start
        </ActionButton>
      </div>
    </form>
  );
}
