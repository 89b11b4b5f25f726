import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import type { RunEvent } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** Of HTTP: they are not meant to change anything. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Tasks, and the event of the run's log after which their calls count. */
export interface CallsAfter {
  readonly seq: number;
  readonly keys: readonly TaskKey[];
}

/**
 * Calls of tools that change something outside, which tasks and the runs below them have made after an event of the log:
 * they would be made again. Each as `nodeId::iteration tool`, once. What a task's own function has done is not known, nor
 * what the tools have done that a command-line agent brings.
 */
export async function effectsSince(
  store: Store,
  run: RunRow,
  asked: readonly CallsAfter[],
): Promise<string[]> {
  const after = new Map(asked.flatMap(({ seq, keys }) => keys.map((key) => [key, seq] as const)));
  if (after.size === 0) return [];
  const first = asked.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const effects = new Set<string>();
  for (const { key, tool, seq } of await callsSince(store, run.runId, first)) {
    if (seq > (after.get(key) ?? Number.POSITIVE_INFINITY)) effects.add(`${key} ${tool}`);
  }
  const children = new Map((await childrenOf(store, run)).map((child) => [child.runId, child]));
  if (children.size === 0) return [...effects];
  for (const key of after.keys()) {
    const child = children.get(childRunId(run, parseTaskKey(key)));
    if (child === undefined) continue;
    for (const tool of await toolsOfFamily(store, child)) effects.add(`${key} ${tool}`);
  }
  return [...effects];
}

/** Its own, and those that were begun by a run that it continues. */
async function childrenOf(store: Store, { runId, config }: RunRow): Promise<RunRow[]> {
  const children = [...(await store.listRuns({ parentRunId: runId, limit: Number.MAX_SAFE_INTEGER }))];
  for (const carried of Object.values(config.continuation?.children ?? {})) {
    const child = await store.getRun(carried);
    if (child !== undefined) children.push(child);
  }
  return children;
}

/** Of a child run, the runs that continue it, and the children of all of them. */
async function toolsOfFamily(store: Store, child: RunRow): Promise<string[]> {
  const family = [child];
  const tools: string[] = [];
  for (const { runId } of family) {
    for (const { tool } of await callsSince(store, runId, -1)) tools.push(tool);
    family.push(...(await store.listRuns({ parentRunId: runId, limit: Number.MAX_SAFE_INTEGER })));
  }
  return tools;
}

async function callsSince(store: Store, runId: string, afterSeq: number) {
  const events = await store.listEvents(runId, {
    types: ["ToolCallStarted", "OpenApiToolCalled"],
    afterSeq,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return events.flatMap(({ seq, event }) => effectOf(event).map((call) => ({ ...call, seq })));
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
