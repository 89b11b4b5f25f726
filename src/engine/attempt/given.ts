import { ServiceError } from "../../errors/service-error.js";
import { fromTaggedJson, toTaggedJson } from "../../store/index.js";
import type { AttemptRecord, MountedJob } from "../ports.js";

const ENCODING = {
  // Rows and prompts come from where they were stored, or are text.
  refuse: () => new ServiceError("INTERNAL_ERROR", "A task was given what cannot be stored."),
  maxDepth: Number.POSITIVE_INFINITY,
};

/** Keeps what a task is given, as it is before its code has it. Only scorers ask for it. */
export function keepGiven(record: AttemptRecord, job: MountedJob, given: unknown): void {
  if (job.task.scorers !== undefined) record.given = toTaggedJson(given, ENCODING);
}

/** Undefined where nothing was kept. */
export function givenTo({ given }: AttemptRecord): unknown {
  return given === undefined ? undefined : fromTaggedJson(given);
}
