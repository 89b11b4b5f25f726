import { ServiceError } from "../../errors/service-error.js";
import { parseTaskKey, shapeOf, type TaskKey, taskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { LoopState, ScopeState } from "../../model/plan.js";
import type { RunConfig } from "../../model/run-config.js";
import { type CompiledPlan, type FailureScope, isDealtWith } from "../../scheduler/index.js";
import type { RunSnapshot } from "../../store/index.js";
import { compareRounds, type Reached, type Round, roundsAround } from "./reach.js";

/** The loops that a node is in, at the node's rounds. */
export function rewoundLoops(runSnapshot: RunSnapshot, target: readonly Round[]): LoopState[] {
  return loopsOf(runSnapshot).flatMap((control) => {
    const iteration = ownIteration(control, target);
    return iteration === undefined ? [] : [{ ...control, iteration, done: false, exhausted: false }];
  });
}

/** The node's own iteration of a loop, if it is in this very loop. */
function ownIteration(control: LoopState, target: readonly Round[]): number | undefined {
  const around = roundsAround(control.id);
  const own = target[around.length];
  const isOwn = own?.loop === shapeOf(control.id) && compareRounds(around, target) === 0;
  return isOwn ? own.iteration : undefined;
}

/** All loops as the reset leaves them: those that begin after the node, and those in its later rounds, begin anew. */
export function resetLoops(
  runSnapshot: RunSnapshot,
  about: { target: readonly Round[]; reached: Reached; plan: CompiledPlan; keys: ReadonlySet<TaskKey> },
): LoopState[] {
  const { target, reached, plan, keys } = about;
  const stored = new Map(loopsOf(runSnapshot).map((control) => [control.id, control.iteration]));
  // An earlier reset may have gone further back: a loop that went forward would leave out what that one asked for.
  const rewound = rewoundLoops(runSnapshot, target).map((loop) => ({
    ...loop,
    iteration: Math.min(loop.iteration, stored.get(loop.id) ?? loop.iteration),
  }));
  const own = new Set(rewound.map(({ id }) => id));
  // A block that dealt with a failure has ended its loops where they stood.
  const isReopened = (id: string) =>
    plan.loops.some((loop) => loop.plan.id === id && loop.tasks.some((key) => keys.has(key)));
  const others = loopsOf(runSnapshot).flatMap((control) => {
    if (own.has(control.id)) return [];
    const order = compareRounds(roundsAround(control.id), target);
    if (order > 0 || (order === 0 && isAfter(control.id, reached)))
      return [begun(control.id, runSnapshot.run.config)];
    return isReopened(control.id) ? [{ ...control, done: false, exhausted: false }] : [];
  });
  return [...rewound, ...others];
}

function isAfter(id: string, { loops }: Reached): boolean {
  return loops.has(shapeOf(id)) || roundsAround(id).some(({ loop }) => loops.has(loop));
}

/** A loop that has not been reached. */
export function begun(id: string, { initialIterations, initialIteration }: RunConfig): LoopState {
  const iteration = initialIterations?.[id] ?? initialIteration ?? 0;
  return { kind: "loop", id, iteration, done: false, exhausted: false };
}

export function loopsOf(runSnapshot: RunSnapshot): LoopState[] {
  return runSnapshot.controls.filter((control) => control.kind === "loop");
}

/** In the order in which a block goes through them. */
export const PHASES = ["body", "recover", "finally", "done"] as const;

interface ResetScopes {
  controls: ScopeState[];
  /** Tasks that a block had given up because of its failure: it runs as a whole. */
  more: TaskKey[];
}

/**
 * Sagas and try blocks go back to the first part that a reset task stands in.
 * @throws INVALID_INPUT where that would leave some actions of a saga undone and others not
 */
export function resetScopes(
  runSnapshot: RunSnapshot,
  about: { target: readonly Round[]; reached: Reached; plan: CompiledPlan; keys: ReadonlySet<TaskKey> },
): ResetScopes {
  const { target, reached, plan } = about;
  const keys = new Set(about.keys);
  const rows = new Map(runSnapshot.nodes.map((row) => [taskKey(row), row]));
  const stored = new Map(
    runSnapshot.controls.flatMap((control) =>
      control.kind === "scope" ? [[control.id, control] as const] : [],
    ),
  );
  const controls = new Map<string, ScopeState>();
  // Outer blocks come first: what they give back may stand in an inner one.
  for (const scope of plan.scopes) {
    const control = stored.get(scope.plan.id);
    const part = firstPart(scope, keys);
    if (control === undefined || part === undefined) continue;
    if (part !== "body") {
      refuseBroken(scope, control);
      if (part === "recover" && !isDealtWith(scope, control.error)) {
        // There was nothing to catch or undo. The body, which stays as it is, comes to its end once more.
        controls.set(control.id, { ...control, phase: "body" });
        continue;
      }
      if (PHASES.indexOf(control.phase) > PHASES.indexOf(part))
        controls.set(control.id, { ...control, phase: part });
      continue;
    }
    refuseHalf(scope, control, { rows, keys });
    controls.set(control.id, { kind: "scope", id: control.id, phase: "body" });
    if (control.error === undefined) continue;
    const wellEnded = tasksWellEnded(plan, scope, stored);
    for (const key of scope.bodyTasks) if (wasGivenUp(rows.get(key)) && !wellEnded.has(key)) keys.add(key);
  }
  for (const { id } of stored.values()) {
    const around = roundsAround(id);
    const isAfter = around.some(({ loop }) => reached.loops.has(loop));
    const order = compareRounds(around, target);
    if (order > 0 || (order === 0 && isAfter)) controls.set(id, { kind: "scope", id, phase: "body" });
  }
  return { controls: [...controls.values()], more: [...keys].filter((key) => !about.keys.has(key)) };
}

/** The first part of a block with one of the tasks. */
export function firstPart(scope: FailureScope, keys: ReadonlySet<TaskKey>): ScopeState["phase"] | undefined {
  const has = (tasks: readonly TaskKey[]) => tasks.some((key) => keys.has(key));
  if (has(scope.bodyTasks)) return "body";
  if (has(scope.recoverTasks)) return "recover";
  return has(scope.finallyTasks) ? "finally" : undefined;
}

/** Tasks of inner blocks that had come to a good end: what those skipped, or caught, was not given up by this one. */
function tasksWellEnded(
  plan: CompiledPlan,
  outer: FailureScope,
  stored: ReadonlyMap<string, ScopeState>,
): Set<TaskKey> {
  const inner = plan.scopes.filter(({ plan: { id } }) => {
    const control = stored.get(id);
    return (
      id !== outer.plan.id && control?.phase === "done" && (control.error === undefined || control.handled)
    );
  });
  return new Set(
    inner.flatMap(({ bodyTasks, recoverTasks, finallyTasks, steps }) => [
      ...bodyTasks,
      ...recoverTasks,
      ...finallyTasks,
      ...steps.flatMap(({ compensation }) => compensation),
    ]),
  );
}

function wasGivenUp(row: NodeRow | undefined): boolean {
  return row?.state === "skipped" || row?.state === "cancelled" || row?.state === "failed";
}

/** Compensations that have done something, and what they have undone. */
export function undoneSteps(scope: FailureScope, rows: ReadonlyMap<TaskKey, NodeRow>) {
  return scope.steps.filter(({ compensation }) =>
    compensation.some((key) => {
      const row = rows.get(key);
      return row !== undefined && row.lastAttempt > 0 && row.state !== "skipped";
    }),
  );
}

function refuseHalf(
  scope: FailureScope,
  control: ScopeState,
  { rows, keys }: { rows: ReadonlyMap<TaskKey, NodeRow>; keys: ReadonlySet<TaskKey> },
): void {
  if (control.error === undefined) return;
  const kept = undoneSteps(scope, rows)
    .flatMap(({ action }) => action)
    .find((key) => rows.has(key) && !keys.has(key));
  if (kept === undefined) return;
  const { nodeId, iteration } = parseTaskKey(kept);
  throw new ServiceError(
    "INVALID_INPUT",
    `Saga ${scope.plan.id} has undone ${nodeId}, which would not run again. Retry ${nodeId} instead: the saga then runs again from there.`,
    { details: { scopeId: scope.plan.id, nodeId, iteration } },
  );
}

function refuseBroken(scope: FailureScope, control: ScopeState): void {
  if (control.broken === undefined) return;
  const first = scope.bodyTasks[0];
  const instead =
    first === undefined ? "" : ` Retry ${parseTaskKey(first).nodeId} instead: the block then runs again.`;
  throw new ServiceError(
    "INVALID_INPUT",
    `Block ${scope.plan.id} failed in its ${control.broken} part, which cannot run again by itself.${instead}`,
    { details: { scopeId: scope.plan.id } },
  );
}
