/** @jsxImportSource react */
import { useEffect, useState } from "react";
import { Icon } from "./Icon.js";

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <button
      type="button"
      className="plain"
      title={`Copy ${what}`}
      aria-label={`Copy ${what}`}
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
