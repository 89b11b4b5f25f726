import { ServiceError } from "../../errors/service-error.js";
import type { RunnerContext, RunnerResult } from "../ports.js";

/** A person's answer: the decision's data, or its note read as JSON. */
export function runHuman({ job }: RunnerContext): RunnerResult {
  const { resolution } = job;
  if (resolution?.kind !== "decision") {
    throw new ServiceError("INTERNAL_ERROR", `Human task ${job.nodeId} ran without an answer.`);
  }
  const { data, note } = resolution.decision;
  return { kind: "row", value: data ?? noteAsRow(note, job.nodeId) };
}

function noteAsRow(note: string | undefined, nodeId: string): unknown {
  try {
    return JSON.parse(note ?? "");
  } catch (cause) {
    throw new ServiceError(
      "INVALID_OUTPUT",
      `The answer to ${nodeId} has no data, and its note is not the JSON of a row.`,
      { cause },
    );
  }
}
