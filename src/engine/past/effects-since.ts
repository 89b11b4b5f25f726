import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import type { RunEvent } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** Of HTTP: they are not meant to change anything. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Calls of tools that change something outside, which tasks and their child runs have made after an event of the log:
 * they would be made again. Each as `nodeId::iteration tool`, once. What a task's own function has done is not known, nor
 * what the tools have done that a command-line agent brings.
 */
export async function effectsSince(
  store: Store,
  run: RunRow,
  { seq, keys }: { seq: number; keys: readonly TaskKey[] },
): Promise<string[]> {
  const again = new Set(keys);
  const effects = new Set<string>();
  for (const { key, tool } of await callsSince(store, run.runId, seq)) {
    if (again.has(key)) effects.add(`${key} ${tool}`);
  }
  for (const key of keys) {
    const child = await store.getRun(childRunId(run, parseTaskKey(key)));
    if (child === undefined) continue;
    for (const { tool } of await callsSince(store, child.runId, -1)) effects.add(`${key} ${tool}`);
  }
  return [...effects];
}

async function callsSince(store: Store, runId: string, seq: number) {
  const events = await store.listEvents(runId, {
    types: ["ToolCallStarted", "OpenApiToolCalled"],
    afterSeq: seq,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return events.flatMap(({ event }) => effectOf(event));
}

function effectOf(event: RunEvent): { key: TaskKey; tool: string }[] {
  if (event.type === "ToolCallStarted" && event.sideEffect === true) {
    return [{ key: taskKey(event), tool: event.toolName }];
  }
  if (event.type === "OpenApiToolCalled" && !SAFE_METHODS.has(event.method.toUpperCase())) {
    return [{ key: taskKey(event), tool: event.operationId }];
  }
  return [];
}
