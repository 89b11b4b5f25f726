import { ServiceError } from "../errors/service-error.js";
import { AddressRefused } from "../network/guarded-lookup.js";
import { errorWithoutSecrets } from "./credentials.js";
import type { Redactor } from "../util/redactor.js";
import type { SpecOperation } from "./operations.js";
import { rootCauseText } from "./root-cause.js";

/** The call was not made, and the same call never can be. The message is a sentence fragment. */
export class Unsendable extends Error {
  override readonly name = "Unsendable";
}

/** The error of a tool for a call that ended without an answer, whatever the reason. */
export function executionFailure(
  { id, method, path }: SpecOperation,
  error: unknown,
  redactor: Redactor,
): ServiceError {
  const unsendable = error instanceof Unsendable || error instanceof AddressRefused;
  const reason = redactor.text(rootCauseText(error));
  return new ServiceError(
    "OPENAPI_TOOL_EXECUTION_FAILED",
    `The operation ${JSON.stringify(id)} (${method} ${path}) ${unsendable ? "cannot be called" : "failed"}: ${reason}.`,
    {
      details: { operationId: id, method, path },
      ...(unsendable ? { retryable: false } : { cause: errorWithoutSecrets(error, redactor) }),
    },
  );
}
