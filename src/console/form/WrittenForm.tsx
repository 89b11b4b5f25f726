/** @jsxImportSource react */
import { useId, useState } from "react";
import { isRecord } from "../../util/is-record.js";
import { Problem } from "../parts/Reading.js";
import type { PathProblems } from "./problems.js";
import { ValueForm } from "./ValueForm.js";
import { readWritten, withUnread, type Written, writtenOf } from "./written.js";

interface WrittenFormProps {
  /** JSON Schema; of what is none, the value is written as JSON. */
  schema: unknown;
  /** What is written. */
  name: "Input" | "Answer" | "Data" | "Row";
  /** One that was not written here needs another `key`. */
  written: Written;
  problems: PathProblems;
  /** @param isFilled what can be in one way only has been filled in, not written */
  onChange(change: (before: Written) => Written, isFilled?: boolean): void;
}

/** A value in the controls of its schema or as JSON, and the way from one to the other. */
export function WrittenForm({ schema, name, written, problems, onChange }: WrittenFormProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const hasForm = isRecord(schema);
  const isJson = !hasForm || written.text !== undefined;
  const turn = () => {
    const read = isJson ? readWritten(written) : { data: written.value };
    // No control shows what is no value.
    if ("problem" in read) return setProblem(read.problem);
    setProblem(null);
    onChange(() => writtenOf(read.data, !isJson));
  };
  return (
    <>
      {hasForm && (
        <fieldset className="segments as-json">
          <legend className="unseen">How it is written</legend>
          {[false, true].map((json) => (
            <button
              key={String(json)}
              type="button"
              aria-pressed={isJson === json}
              onClick={() => isJson !== json && turn()}
            >
              {json ? "As JSON" : "As a form"}
            </button>
          ))}
        </fieldset>
      )}
      {isJson ? (
        <div className="field">
          <label htmlFor={id}>{name}, as JSON</label>
          <textarea
            id={id}
            className="code"
            rows={8}
            spellCheck={false}
            value={written.text ?? writtenOf(written.value, true).text}
            aria-invalid={problem !== null}
            onChange={({ target }) => {
              setProblem(null);
              onChange((before) => ({ ...before, text: target.value }));
            }}
          />
          {problem !== null && <Problem text={problem} />}
        </div>
      ) : (
        <ValueForm
          schema={schema}
          value={written.value}
          problems={problems}
          unread={written.unread}
          setUnread={(path, text) => onChange((before) => withUnread(before, path, text))}
          onChange={(value) => onChange((before) => ({ ...before, value }))}
          onFill={(value) => onChange((before) => ({ ...before, value }), true)}
        />
      )}
      {!isJson && isEmpty(schema) && <p className="hint">It takes nothing.</p>}
    </>
  );
}

function isEmpty(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { properties, anyOf, oneOf, allOf, additionalProperties } = schema;
  const hasOther = [anyOf, oneOf, allOf, additionalProperties].some(Boolean);
  return !hasOther && (!isRecord(properties) || Object.keys(properties).length === 0);
}
