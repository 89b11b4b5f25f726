/** @jsxImportSource react */
import { useEffect, useState } from "react";
import { Icon } from "./Icon.js";

/** Puts a text into the clipboard, and says so. A label is the beginning of its name: who speaks to the page says what they read. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [isDone]);
  const action = `Copy ${what}`;
  return (
    <button
      type="button"
      className="plain"
      title={action}
      aria-label={label ? `${label}: ${action}` : action}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setDone(true);
      }}
    >
      <Icon name={isDone ? "check" : "copy"} />
      {label}
      <span className="unseen" role="status">
        {isDone ? "Copied" : ""}
      </span>
    </button>
  );
}
