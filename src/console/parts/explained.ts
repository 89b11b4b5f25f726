import { ClientError } from "../../client/index.js";

/** Refusals that mean: what stands here is old. */
const EXPLAINED: Readonly<Record<string, string>> = {
  REQUEST_CHANGED:
    "The question has changed since it was shown here, so your answer was not taken. Read the new one.",
  ALREADY_DECIDED: "Another person has decided this already; the first decision stands.",
  NODE_NOT_WAITING: "This waits no more: it timed out, or the run continued without it.",
  RUN_NOT_ACTIVE: "The run has ended meanwhile.",
};

/** Why an action was not taken, for who asked for it. */
export function explained(error: Error): string {
  if (!ClientError.is(error)) return error.message;
  const text = EXPLAINED[error.code];
  if (text !== undefined) return text;
  const scope =
    error.requiredScope === undefined ? "" : ` Your token lacks the scope ${error.requiredScope}.`;
  return `${error.message}${scope}`;
}
