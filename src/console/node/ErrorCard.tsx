/** @jsxImportSource react */
import type { SerializedError } from "../../errors/ensure-error.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { shown } from "../parts/text.js";

/** An error: its code, what happened, where in the project, and what caused it. */
export function ErrorCard({ error }: { error: SerializedError }) {
  const { code, message, frame, details, cause, stack, docsUrl } = error;
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
          <ErrorCard error={cause} />
        </details>
      )}
    </section>
  );
}
