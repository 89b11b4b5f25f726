import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import type { RunEvent } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import type { Store } from "../../store/index.js";

/** Of HTTP: they are not meant to change anything. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Tasks, and the event of the run's log after which their calls count. */
export interface CallsAfter {
  readonly seq: number;
  readonly keys: readonly TaskKey[];
}

export interface EffectsAsked {
  readonly asked: readonly CallsAfter[];
  /** Where the child runs of tasks are that are not beside the run. */
  readonly stores: ReadonlyMap<TaskKey, Store>;
}

/** A call of a tool that changes something outside. */
export interface EffectCall {
  readonly key: TaskKey;
  readonly tool: string;
  /** Whether it is known to have ended: a process that died in it has not said what came of it. */
  readonly hasEnded: boolean;
  /** The call in the journal; null where it is not kept, and so cannot be undone. */
  readonly effect: ToolEffect | null;
}

/** Each as `nodeId::iteration tool`, once; of a call that has not said how it ended, with that. */
export function effectNames(calls: readonly EffectCall[]): string[] {
  const names = calls.map(
    ({ key, tool, hasEnded }) => `${key} ${tool}${hasEnded ? "" : " (outcome unknown)"}`,
  );
  return [...new Set(names)];
}

/**
 * Calls of tools that change something outside, which tasks and the runs below them have made after an event of the log,
 * in their order: they would be made again. Those that were undone are not among them. What a task's own function has done
 * is not known, nor what the tools have done that a command-line agent brings.
 */
export async function effectsSince(
  store: Store,
  run: RunRow,
  { asked, stores }: EffectsAsked,
): Promise<EffectCall[]> {
  const after = new Map(asked.flatMap(({ seq, keys }) => keys.map((key) => [key, seq] as const)));
  if (after.size === 0) return [];
  const first = asked.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const calls = (await callsSince(store, run.runId, first)).filter(
    ({ key, seq }) => seq > (after.get(key) ?? Number.POSITIVE_INFINITY),
  );
  const journal = new Map(
    calls.length === 0
      ? []
      : (await store.listToolEffects(run.runId)).map((effect) => [callId(taskKey(effect), effect), effect]),
  );
  const own = calls.map(({ key, tool, hasEnded, call }) => ({
    key,
    tool,
    hasEnded,
    effect: (call === null ? undefined : journal.get(callId(key, call))) ?? null,
  }));
  return [
    ...own.filter(({ effect }) => effect?.revertState !== "done"),
    ...(await callsBelow(store, run, { after, stores })),
  ];
}

const callId = (key: TaskKey, { attempt, callNo }: { attempt: number; callNo: number }) =>
  `${key} ${attempt} ${callNo}`;

async function callsBelow(
  store: Store,
  run: RunRow,
  { after, stores }: { after: ReadonlyMap<TaskKey, number>; stores: EffectsAsked["stores"] },
): Promise<EffectCall[]> {
  const children = new Map((await childrenOf(store, run)).map((child) => [child.runId, child]));
  const calls: EffectCall[] = [];
  for (const key of after.keys()) {
    const id = childRunId(run, parseTaskKey(key));
    const own = stores.get(key) ?? store;
    const child = own === store ? children.get(id) : await own.getRun(id);
    if (child === undefined) continue;
    for (const call of await callsOfFamily(own, child)) calls.push({ ...call, key, effect: null });
  }
  return calls;
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
async function callsOfFamily(store: Store, child: RunRow): Promise<Pick<EffectCall, "tool" | "hasEnded">[]> {
  const family = [child];
  const calls: Pick<EffectCall, "tool" | "hasEnded">[] = [];
  for (const { runId } of family) {
    for (const { tool, hasEnded } of await callsSince(store, runId, -1)) calls.push({ tool, hasEnded });
    family.push(...(await store.listRuns({ parentRunId: runId, limit: Number.MAX_SAFE_INTEGER })));
  }
  return calls;
}

interface LoggedCall {
  key: TaskKey;
  tool: string;
  /** Null for calls that are never kept in the journal. */
  call: { attempt: number; callNo: number } | null;
}

async function callsSince(store: Store, runId: string, afterSeq: number) {
  const events = await store.listEvents(runId, {
    types: ["ToolCallStarted", "ToolCallFinished", "OpenApiToolCalled"],
    afterSeq,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const ended = new Set(
    events.flatMap(({ event }) =>
      event.type === "ToolCallFinished"
        ? [callId(taskKey(event), { attempt: event.attempt, callNo: event.seq })]
        : [],
    ),
  );
  return events.flatMap(({ seq, event }) =>
    callOf(event).map((logged) => {
      const { key, call } = logged;
      return { ...logged, seq, hasEnded: call === null || ended.has(callId(key, call)) };
    }),
  );
}

function callOf(event: RunEvent): LoggedCall[] {
  if (event.type === "ToolCallStarted" && event.sideEffect === true) {
    const { attempt, seq: callNo, toolName } = event;
    return [{ key: taskKey(event), tool: toolName, call: { attempt, callNo } }];
  }
  if (event.type === "OpenApiToolCalled" && !SAFE_METHODS.has(event.method.toUpperCase())) {
    return [{ key: taskKey(event), tool: event.operationId, call: null }];
  }
  return [];
}
