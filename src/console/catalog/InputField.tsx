/** @jsxImportSource react */
import { useId } from "react";
import { shown } from "../parts/text.js";
import type { Field } from "./schema-fields.js";

interface InputFieldProps {
  field: Field;
  text: string;
  problem: string | undefined;
  onChange(text: string): void;
}

/** The control of one member of the input. */
export function InputField({ field, text, problem, onChange }: InputFieldProps) {
  const id = useId();
  const { name, kind, isRequired, description } = field;
  const common = {
    id,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-more`,
    "aria-required": isRequired,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {shown(name)} {isRequired ? null : <span className="hint">optional</span>}
      </label>
      {kind === "choice" || kind === "flag" ? (
        <select {...common} value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">{isRequired ? "Choose…" : "not given"}</option>
          {(kind === "flag" ? ["true", "false"] : field.choices).map((choice) => (
            <option key={choice} value={choice}>
              {shown(choice)}
            </option>
          ))}
        </select>
      ) : kind === "json" ? (
        <textarea
          {...common}
          className="code"
          rows={4}
          spellCheck={false}
          placeholder="JSON"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          inputMode={kind === "number" ? "decimal" : undefined}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-more`} className="hint">
        {description !== undefined && shown(description)}
        {problem !== undefined && <span className="bad"> {problem}</span>}
      </p>
    </div>
  );
}
