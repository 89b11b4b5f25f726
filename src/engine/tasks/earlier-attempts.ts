import type { AttemptRow } from "../../model/node.js";
import type { RunnerContext } from "../ports.js";
import type { HandedOver } from "./hand-over.js";

/** The meaning of earlier attempts for the session that this one starts with. */
export interface EarlierAttempts {
  /** The newest session that a person has had and has given back; null when there is none, or it is gone. */
  givenBack: HandedOver | null;
  /** A person has had the task at least once. */
  wasHandedOver: boolean;
  /** The last attempt failed because the session it was to continue is gone. */
  lostSession: boolean;
}

const NONE: EarlierAttempts = { givenBack: null, wasHandedOver: false, lostSession: false };

export async function earlierAttempts({ job, services }: RunnerContext): Promise<EarlierAttempts> {
  if (job.attempt === 1) return NONE;
  const attempts = await services.store.listAttempts(job.runId, job.nodeId, job.iteration);
  const before = attempts.filter(({ attempt }) => attempt < job.attempt);
  const at = before.findLastIndex(({ meta }) => meta?.hijack !== undefined);
  const isGone = before.slice(at + 1).some(hasLostSession);
  return {
    givenBack: at < 0 || isGone ? null : (before[at]?.meta?.hijack as HandedOver),
    wasHandedOver: at >= 0,
    lostSession: hasLostSession(before.findLast(({ error }) => error !== null)),
  };
}

function hasLostSession(attempt: AttemptRow | undefined): boolean {
  return attempt?.error?.details?.reason === "session";
}
