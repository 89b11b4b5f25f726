import { type SerializedError, serializeError } from "../../errors/ensure-error.js";
import type { RunConfig } from "../../model/run-config.js";
import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor } from "../../util/redactor.js";
import { runRoot } from "../run-root.js";

/** What is kept of a text, or an error, that a user's code has made: secrets that the environment names as such stay out. */
export function withoutSecrets<T>(made: T): T {
  return createRedactor(secretsOfEnvironment(process.env)).value(made);
}

/** The error of an attempt as its run keeps it. */
export function attemptError(thrown: unknown, config: RunConfig): SerializedError {
  return withoutSecrets(serializeError(thrown, runRoot(config)));
}
