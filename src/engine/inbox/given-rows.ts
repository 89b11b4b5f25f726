import { serializeError } from "../../errors/ensure-error.js";
import { taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import { isTerminal } from "../../model/run.js";
import { type SchedulerIntent, whyNotTaken } from "../../scheduler/index.js";
import { newestOfChain } from "../../store/index.js";
import { type GivenRow, type StoredRow, toStoredRow } from "../attempt/task-row.js";
import type { RunSession } from "../session/session.js";
import { advance } from "../turn/advance.js";
import type { CommitBuilder } from "../turn/commit.js";

type CompleteIntent = Extract<SchedulerIntent, { kind: "complete" }>;

/** Reads the row that an intent brings, before the turn that takes it up: a schema may answer later. */
export async function readGivenRow(session: RunSession, intent: SchedulerIntent): Promise<void> {
  if (intent.kind !== "complete" || session.givenRows.has(intent.id)) return;
  const given = await readRow(session, intent);
  if (given !== undefined) session.givenRows.set(intent.id, given);
}

/** Undefined where the scheduler knows by itself that there is no such task, or that it has no row. */
async function readRow(session: RunSession, intent: CompleteIntent): Promise<GivenRow | undefined> {
  const { nodeId, iteration, output: value } = intent;
  const { store } = session.services;
  const task = session.state.nodes.get(taskKey(intent))?.task ?? null;
  if (task === null || task.outputKey === "") return undefined;
  if (task.kind === "subflow") {
    const child = await newestOfChain(store, childRunId(session, { nodeId, iteration }));
    if (child !== undefined && !isTerminal(child.status)) {
      const message = `Its child run ${child.runId} is ${child.status}; cancel that one first.`;
      return { problem: { code: "INVALID_INPUT", message } };
    }
  }
  try {
    return { stored: await toStoredRow(store, task, { value, runId: session.runId }) };
  } catch (thrown) {
    const { code = "INVALID_OUTPUT", message, details } = serializeError(thrown);
    const issues: unknown = details?.["issues"];
    const why = Array.isArray(issues) ? issues.join("; ") : message;
    return { problem: { code, message: `The row that was given to ${nodeId} does not fit: ${why}` } };
  }
}

/** Tells the scheduler of an intent. A row that counts is part of the same commit. */
export function takeIntent(session: RunSession, commit: CommitBuilder, intent: SchedulerIntent): void {
  if (intent.kind !== "complete") return advance(session, commit, { type: "intent", intent });
  const given = session.givenRows.get(intent.id);
  session.givenRows.delete(intent.id);
  if (whyNotTaken(session.state, intent) !== null)
    return advance(session, commit, { type: "intent", intent });
  if (given !== undefined && "stored" in given) {
    keepRow(session, commit, { at: intent, stored: given.stored });
    return advance(session, commit, { type: "intent", intent });
  }
  const problem = given?.problem ?? {
    code: "NODE_NOT_FOUND",
    message: `${intent.nodeId} was not in the tree when its row arrived.`,
  };
  advance(session, commit, { type: "intent", intent: { ...intent, problem } });
}

function keepRow(
  session: RunSession,
  commit: CommitBuilder,
  { at, stored }: { at: CompleteIntent; stored: StoredRow },
): void {
  const { nodeId, iteration } = at;
  const outputKey = session.state.nodes.get(taskKey(at))?.task?.outputKey ?? "";
  commit.outputs.push({ outputKey, nodeId, iteration, columns: stored.columns });
  session.outputs.set(outputKey, stored.row);
  session.readsChanged ||= session.view.reads.covers(outputKey, nodeId);
}
