import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Redactor } from "../../util/redactor.js";

/**
 * The error itself where no secret is in it, else a copy without them and without its cause: `fetch` quotes the whole
 * address that it was given, and a tool what it has sent.
 */
export function redactedError(error: Error, redactor: Redactor): Error {
  const shown = JSON.stringify(serializeError(error));
  if (redactor.text(shown) === shown) return error;
  if (ServiceError.is(error)) {
    const { code, summary, details, retryable } = error;
    return new ServiceError(code, redactor.diagnostic(summary), {
      ...(details !== undefined && { details: redactor.diagnosticValue(details) }),
      ...(retryable !== undefined && { retryable }),
    });
  }
  const copy = new Error(redactor.diagnostic(error.message));
  copy.name = error.name;
  if (error.stack !== undefined) copy.stack = redactor.diagnostic(error.stack);
  return copy;
}
