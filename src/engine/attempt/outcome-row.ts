import type { OutputRow } from "../../model/schema.js";
import type { RowAddressed } from "./task-row.js";
import type { AttemptOutcome, Store } from "../ports.js";

type Finished = Extract<AttemptOutcome, { kind: "finished" }>;

/** JSON leaves it out: the row is there already, where the attempt ran in this process. */
const ROW = Symbol("row");

export function withRow(outcome: Finished, row: OutputRow): Finished {
  return Object.assign(outcome, { [ROW]: row });
}

/** The row that an attempt has finished with, as readers get it; undefined for a task without one. */
export function rowOf(
  outcome: Finished & { [ROW]?: OutputRow },
  about: { store: Pick<Store, "codec">; runId: string; task: Omit<RowAddressed, "outputSchema"> },
): OutputRow | undefined {
  const { columns } = outcome;
  if (columns === undefined) return undefined;
  const { store, runId, task } = about;
  return outcome[ROW] ?? store.codec(task.outputKey).decode(columns, { runId, ...task });
}
