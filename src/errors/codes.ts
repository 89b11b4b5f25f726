import type { ErrorCodeEntry } from "./code-entry.js";
import { agentCodes } from "./codes/agents.js";
import { componentCodes } from "./codes/components.js";
import { hostCodes } from "./codes/hosts.js";
import { runCodes } from "./codes/runs.js";
import { storeCodes } from "./codes/store.js";
import { taskCodes } from "./codes/tasks.js";
import { toolCodes } from "./codes/tools.js";

/** The one table of error codes, by family. `docs/errors.md` is generated from it. */
export const errorFamilies = {
  Runs: runCodes,
  Tasks: taskCodes,
  Components: componentCodes,
  Agents: agentCodes,
  Tools: toolCodes,
  Store: storeCodes,
  Hosts: hostCodes,
} as const;

type FamilyCodes = {
  [F in keyof typeof errorFamilies]: keyof (typeof errorFamilies)[F];
}[keyof typeof errorFamilies];

/** Codes that the table documents. */
export type KnownErrorCode = FamilyCodes & string;

/** A documented code, or any other string: hosts and agents may bring their own. */
export type ServiceErrorCode = KnownErrorCode | (string & {});

const entries: Readonly<Record<string, ErrorCodeEntry>> = Object.assign({}, ...Object.values(errorFamilies));

/** The table's entry for `code`; undefined for codes it does not know. */
export function errorCodeEntry(code: string): ErrorCodeEntry | undefined {
  return Object.hasOwn(entries, code) ? entries[code] : undefined;
}

/** HTTP status of a code; 500 for codes without one. */
export function httpStatusOf(code: string): number {
  return errorCodeEntry(code)?.httpStatus ?? 500;
}

/** Whether the table allows another attempt after this code. Unknown codes are retryable. */
export function isRetryableCode(code: string): boolean {
  return errorCodeEntry(code)?.retryable ?? true;
}
