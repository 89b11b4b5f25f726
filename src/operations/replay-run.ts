import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";
import type { RunEvent } from "../model/events.js";
import type { RunResult } from "../model/run.js";
import type { ResultOf, SchemaMap } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { Clock } from "../util/clock.js";
import { FORK_RULES, type ForkResult, type ForkRunOptions, makeFork, planFork } from "./fork-run.js";
import type { OperationTarget } from "./request/target.js";
import { driveWorkflow } from "./run-workflow.js";

/** Which moment of a run is gone through again, and how. */
export interface ReplayRunOptions extends ForkRunOptions {
  /** Although tools of the tasks that run again have changed something outside. @default false */
  acceptEffects?: boolean;
  /** Called with each event of the new run once it is committed. */
  onProgress?(event: RunEvent): void;
  /** As that of `runWorkflow`, for the new run. */
  signal?: AbortSignal;
}

/** A fork that may be driven at once. */
export interface ReplayFork extends ForkResult {
  /** Tools that have changed something outside and may do so again, each as `nodeId::iteration tool`. */
  effects: string[];
}

/** A run that was made of another one's past, and how it ended. */
export interface ReplayResult<Output = unknown> extends ReplayFork {
  /** As that of `runWorkflow`; null where no run was made. */
  result: RunResult<Output> | null;
}

const MAKING_RULES = {
  ...FORK_RULES,
  acceptEffects: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<Omit<ReplayRunOptions, "onProgress" | "signal">>;

const RULES = {
  ...MAKING_RULES,
  onProgress: rules.callback,
  signal: rules.abortSignal,
} satisfies rules.OptionRules<ReplayRunOptions>;

/**
 * Makes a new run of an old moment of another one, as `forkRun`, and drives it until it ends or only waits. Since it
 * continues at once, effects of the other run that it would repeat are refused first.
 * @throws as forkRun and runWorkflow, and TIME_TRAVEL_SIDE_EFFECT_BLOCKED; then there is no new run
 */
export async function replayRun<S extends SchemaMap>(
  workflow: ServiceWorkflow<S>,
  options: ReplayRunOptions,
): Promise<ReplayResult<ResultOf<S>>> {
  const { onProgress, signal, ...asked } = checkOptions("replayRun", options, RULES);
  const fork = await forkForReplay(workflow, asked);
  if (fork.runId === null) return { ...fork, result: null };
  const result = await driveWorkflow(workflow, {
    runId: fork.runId,
    resume: true,
    ...(onProgress !== undefined && { onProgress }),
    ...(signal !== undefined && { signal }),
  });
  // Rows of the key `output` have passed its schema.
  return { ...fork, result: result as RunResult<ResultOf<S>> };
}

/**
 * The part of `replayRun` before the drive, for hosts that drive by themselves.
 * @throws as forkRun, and TIME_TRAVEL_SIDE_EFFECT_BLOCKED
 */
export async function forkForReplay(
  target: OperationTarget,
  options: Omit<ReplayRunOptions, "onProgress" | "signal">,
  world: { clock?: Clock } = {},
): Promise<ReplayFork> {
  const { acceptEffects, dryRun, ...asked } = checkOptions("replayRun", options, MAKING_RULES);
  const plan = await planFork(target, asked, world);
  const effects = await plan.effects();
  if (dryRun) return { ...plan.preview, effects };
  if (effects.length > 0 && !acceptEffects) refuseEffects(plan.preview, effects);
  const made = await makeFork(plan);
  serviceMetrics.replaysStarted.add();
  return { ...made, effects };
}

function refuseEffects({ parentRunId, frameNo }: ForkResult, effects: readonly string[]): never {
  throw new ServiceError(
    "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    `Tasks of run ${parentRunId} that would run again from frame ${frameNo} have changed something outside by ${effects.length} tools: ${effects.slice(0, 10).join(", ")}${effects.length > 10 ? " …" : ""}.`,
    { details: { runId: parentRunId, frameNo, effects } },
  );
}
