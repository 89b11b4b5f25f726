/** @jsxImportSource react */
import { useId } from "react";

/** What a run option is written as. */
export interface Field {
  name: string;
  kind: "text" | "number" | "json";
  description: string;
}

interface InputFieldProps {
  field: Field;
  text: string;
  problem: string | undefined;
  onChange(text: string): void;
}

/** The control of a run option. */
export function InputField({ field, text, problem, onChange }: InputFieldProps) {
  const id = useId();
  const { name, kind, description } = field;
  const common = {
    id,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-more`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} <span className="hint">optional</span>
      </label>
      {kind === "json" ? (
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
        {description}
        {problem !== undefined && <span className="bad"> {problem}</span>}
      </p>
    </div>
  );
}
