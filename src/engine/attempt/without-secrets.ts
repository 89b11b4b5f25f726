import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor } from "../../util/redactor.js";

/** What is kept of a text, or an error, that a user's code has made: secrets that the environment names as such stay out. */
export function withoutSecrets<T>(made: T): T {
  return createRedactor(secretsOfEnvironment(process.env)).value(made);
}
