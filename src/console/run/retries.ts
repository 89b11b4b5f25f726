import type { NodeRow } from "../../model/node.js";
import type { XmlElement } from "../../model/xml.js";

/** Elements whose tasks are tried again without end where their author sets no limit. */
const UNLIMITED: ReadonlySet<string> = new Set(["Task", "Subflow", "SandboxRun"]);

/** Whether what fails inside is handled there: then tasks without a limit of their own are not tried again for ever. */
export function handlesFailures(tag: string): boolean {
  return tag === "TryPart" || tag === "SagaAction";
}

/**
 * The retries of a task as its frame has them: Infinity where they have no end, null where the frame does not tell.
 * @param isHandled an element around the task handles its failure
 */
export function retriesOf({ tag, props }: XmlElement, isHandled: boolean): number | null {
  if (!UNLIMITED.has(tag)) return null;
  if (props["noRetry"] === "true") return 0;
  if (props["retries"] !== undefined) return Number(props["retries"]);
  return isHandled || props["continueOnFail"] === "true" ? null : Number.POSITIVE_INFINITY;
}

type Tried = Pick<NodeRow, "lastAttempt" | "failures" | "state">;

/**
 * The newest attempt of how many there may be: `2/3`, `2/∞`. Only failures use retries up, so one that was
 * interrupted, or that a person has asked for, raises the number.
 */
export function attemptText({ lastAttempt, failures, state }: Tried, retries: number | null): string {
  if (retries === null) return String(lastAttempt);
  if (retries === Number.POSITIVE_INFINITY) return `${lastAttempt}/∞`;
  const isCounted = state === "pending" || state === "failed";
  return `${lastAttempt}/${Math.max(lastAttempt, lastAttempt - failures + retries + (isCounted ? 1 : 0))}`;
}
