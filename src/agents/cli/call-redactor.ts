import { createRedactor, type Redactor } from "../../util/redactor.js";
import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { secretsOf } from "../process/secrets.js";

/** Knows the secrets of a tool's options and environment, and those that this process keeps to itself. */
export function callRedactor(call: { options: object; env: Readonly<Record<string, string>> }): Redactor {
  return createRedactor([
    ...secretsOf(call.options),
    ...secretsOfEnvironment(call.env),
    ...secretsOfEnvironment(process.env),
  ]);
}
