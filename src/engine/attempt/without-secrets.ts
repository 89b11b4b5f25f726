import { type SerializedError, serializeError } from "../../errors/ensure-error.js";
import type { RunConfig } from "../../model/run-config.js";
import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor } from "../../util/redactor.js";
import { runRoot } from "../run-root.js";

/** A text or row of a user's code as it is kept: secrets that the environment names as such stay out. */
export function withoutSecrets<T>(made: T): T {
  return createRedactor(secretsOfEnvironment(process.env)).value(made);
}

/** An error as a run keeps it: also without what only looks like a credential, which an error needs less than a row. */
export function keptError(thrown: unknown, config?: RunConfig): SerializedError {
  const error = serializeError(thrown, config && runRoot(config));
  return createRedactor(secretsOfEnvironment(process.env)).diagnosticValue(error);
}
