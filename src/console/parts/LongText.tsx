/** @jsxImportSource react */
import { useMemo, useState } from "react";
import { CopyButton } from "./CopyButton.js";
import { shown } from "./text.js";

/** Characters that are drawn at once. */
const PART = 20_000;

interface LongTextProps {
  text: string;
  /** What is copied. */
  name: string;
  /** Lines are broken where the pane ends. */
  wraps?: boolean;
}

/** A text of any length. A long one is drawn in parts; it is copied whole. */
export function LongText({ text, name, wraps = false }: LongTextProps) {
  const [length, setLength] = useState(PART);
  const part = useMemo(() => shown(text.slice(0, length)), [text, length]);
  return (
    <div className="json">
      <div className="json-tools">
        <CopyButton text={text} what={name} label="Copy" />
      </div>
      <pre dir={wraps ? "auto" : "ltr"} className={wraps ? "wraps" : undefined}>
        {part}
      </pre>
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
