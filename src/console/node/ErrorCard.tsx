/** @jsxImportSource react */
import { errorCodeEntry } from "../../errors/codes.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { shown } from "../parts/text.js";

interface ErrorCardProps {
  error: SerializedError;
  /** It stands in the card of the error that it caused, which says what to do. */
  isCause?: boolean;
}

/** An error: its code, what happened, where in the project, what to do, and what caused it. */
export function ErrorCard({ error, isCause = false }: ErrorCardProps) {
  const { code, message, frame, details, cause, stack, docsUrl } = error;
  const next = isCause ? undefined : nextStep(error);
  return (
    <section className="error" aria-label="Error">
      <p className="error-head">
        <Icon name="cross" /> <strong>{code ?? error.name}</strong>
        {frame !== undefined && (
          <code className="hint">
            {shown(frame.file)}:{frame.line}
          </code>
        )}
      </p>
      <p className="error-text" dir="auto">
        {shown(message)}
      </p>
      {next !== undefined && <p>What to do: {next}</p>}
      {docsUrl !== undefined && (
        <p className="hint">
          Read more: <code>{shown(docsUrl)}</code>
        </p>
      )}
      {(details !== undefined || stack !== undefined) && (
        <details>
          <summary>Details</summary>
          {details !== undefined && <Json value={details} name="the details" />}
          {stack !== undefined && <pre>{shown(stack)}</pre>}
        </details>
      )}
      {cause !== undefined && (
        // What a person has to mend is often the innermost.
        <details open>
          <summary>Caused by</summary>
          <ErrorCard error={cause} isCause />
        </details>
      )}
    </section>
  );
}

/** That of the code table, where the message does not end with it: the library's own errors tell it, those of tasks do not. */
function nextStep({ code, message, details }: SerializedError): string | undefined {
  const isOfTask = typeof details?.["nodeId"] === "string";
  const entry =
    (code === undefined ? undefined : errorCodeEntry(code)) ??
    (isOfTask ? errorCodeEntry("TASK_FAILED") : undefined);
  return entry === undefined || message.includes(entry.next) ? undefined : entry.next;
}
