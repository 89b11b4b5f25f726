import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";
import type { RunEvent } from "../model/events.js";
import type { RunResult } from "../model/run.js";
import type { ResultOf, SchemaMap } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { Clock } from "../util/clock.js";
import type { FileState } from "../vcs/file-state.js";
import { removeRestored, restoreState } from "../vcs/restore-state.js";
import { requireFiles, restorePlace, type RestoredFiles } from "./files/restore-files.js";
import {
  FORK_RULES,
  type ForkPlan,
  type ForkResult,
  type ForkRunOptions,
  makeFork,
  planFork,
} from "./fork-run.js";
import type { OperationTarget } from "./request/target.js";
import { driveWorkflow } from "./run-workflow.js";

/** Which moment of a run is gone through again, and how. */
export interface ReplayRunOptions extends ForkRunOptions {
  /** Although tools of the tasks that run again have changed something outside. @default false */
  acceptEffects?: boolean;
  /**
   * Check the files out that were recorded at the frame, into a new worktree beside the repository: the new run works
   * there. @default false
   */
  restoreVcs?: boolean;
  /** Called with each event of the new run once it is committed. */
  onProgress?(event: RunEvent): void;
  /** As that of `runWorkflow`, for the new run. */
  signal?: AbortSignal;
}

/** A fork that may be driven at once. */
export interface ReplayFork extends ForkResult {
  /** Tools that have changed something outside and may do so again, each as `nodeId::iteration tool`. */
  effects: string[];
  /** The files that it begins with; null without `restoreVcs`. */
  restored: RestoredFiles | null;
}

/** A run that was made of another one's past, and how it ended. */
export interface ReplayResult<Output = unknown> extends ReplayFork {
  /** As that of `runWorkflow`; null where no run was made. */
  result: RunResult<Output> | null;
}

const MAKING_RULES = {
  ...FORK_RULES,
  acceptEffects: rules.withDefault(rules.flag, false),
  restoreVcs: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<Omit<ReplayRunOptions, "onProgress" | "signal">>;

const RULES = {
  ...MAKING_RULES,
  onProgress: rules.callback,
  signal: rules.abortSignal,
} satisfies rules.OptionRules<ReplayRunOptions>;

/**
 * Makes a new run of an old moment of another one, as `forkRun`, and drives it until it ends or only waits. Since it
 * continues at once, effects of the other run that it would repeat are refused first.
 * @throws as forkRun and runWorkflow, TIME_TRAVEL_SIDE_EFFECT_BLOCKED, and with `restoreVcs` VCS_NOT_FOUND,
 * SNAPSHOT_NOT_FOUND and VCS_WORKSPACE_CREATE_FAILED; then there is no new run
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
 * @throws as replayRun, but for what runWorkflow throws
 */
export async function forkForReplay(
  target: OperationTarget,
  options: Omit<ReplayRunOptions, "onProgress" | "signal">,
  world: { clock?: Clock } = {},
): Promise<ReplayFork> {
  const { acceptEffects, restoreVcs, dryRun, ...asked } = checkOptions("replayRun", options, MAKING_RULES);
  const plan = await planFork(target, asked, world);
  const effects = await plan.effects();
  const { parentRunId, frameNo } = plan.preview;
  const about = { runId: parentRunId, frameNo, root: plan.root };
  const state = restoreVcs ? requireFiles(await plan.files(), about) : null;
  if (dryRun) {
    const restored = state && { commit: state.commit, worktree: null, rootDir: null };
    return { ...plan.preview, effects, restored };
  }
  if (effects.length > 0 && !acceptEffects) refuseEffects(plan.preview, effects);
  const made =
    state === null ? { ...(await makeFork(plan)), restored: null } : await forkWithFiles(plan, state);
  serviceMetrics.replaysStarted.add();
  return { ...made, effects };
}

/** The files first: a run without them would work in the folder of the other one. */
async function forkWithFiles(plan: ForkPlan, state: FileState) {
  const { made } = plan;
  const { worktree, rootDir } = restorePlace(state, made.runId);
  await restoreState(state, worktree);
  try {
    const fork = await makeFork({ ...plan, made: { ...made, config: { ...made.config, rootDir } } });
    return { ...fork, restored: { commit: state.commit, worktree, rootDir } };
  } catch (error) {
    await removeRestored(state, worktree);
    throw error;
  }
}

function refuseEffects({ parentRunId, frameNo }: ForkResult, effects: readonly string[]): never {
  throw new ServiceError(
    "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    `Tasks of run ${parentRunId} that would run again from frame ${frameNo} have changed something outside by ${effects.length} tools: ${effects.slice(0, 10).join(", ")}${effects.length > 10 ? " …" : ""}.`,
    { details: { runId: parentRunId, frameNo, effects } },
  );
}
