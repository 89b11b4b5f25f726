/** @jsxImportSource react */
import { useMemo, useState } from "react";
import { CopyButton } from "./CopyButton.js";
import { shown } from "./text.js";

/** Characters that are drawn at once. */
const PART = 20_000;

/** A value as JSON text. A long one is drawn in parts; it is copied whole. */
export function Json({ value, name }: { value: unknown; name: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "undefined", [value]);
  const [length, setLength] = useState(PART);
  const part = useMemo(() => shown(text.slice(0, length)), [text, length]);
  return (
    <div className="json">
      <div className="json-tools">
        <CopyButton text={text} what={name} label="Copy" />
      </div>
      <pre dir="ltr">{part}</pre>
      {text.length > length && (
        <p className="hint">
          {length.toLocaleString()} of {text.length.toLocaleString()} characters.{" "}
          <button type="button" className="plain" onClick={() => setLength(length + 10 * PART)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}
