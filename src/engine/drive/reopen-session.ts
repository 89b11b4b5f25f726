import { ServiceError } from "../../errors/service-error.js";
import type { TaskKey } from "../../model/address.js";
import { compareLoaded, type FileChange } from "../../model/loaded-file.js";
import type { RenderedFrame } from "../../model/graph.js";
import { type RunRow, triesAgain } from "../../model/run.js";
import { RUN_DEFAULTS, type RunConfig } from "../../model/run-config.js";
import type { RunOptions } from "../../model/run-options.js";
import { drawn } from "../../renderer/frame-waits.js";
import type { RunSnapshot, StoredFacts } from "../../store/index.js";
import type { EngineServices } from "../ports.js";
import { type Reopening, reopenRun } from "../reset/reopen.js";
import { renderRunSnapshot } from "../reset/reset-snapshot.js";
import { openRun } from "../session/open-run.js";
import { runHistory } from "../session/run-history.js";
import { type SeededSnapshot, seedResumed } from "../session/seed-resumed.js";
import type { PendingSession } from "../session/session.js";
import { changeRefused, type CodeChanges, compareTasks } from "../turn/change-check.js";
import { refuseLateMembers } from "../turn/late-members.js";
import { refuseLostSteps } from "../turn/lost-steps.js";
import { beforeDrive, type DriveOptions, renderFirst } from "./drive.js";
import { suspectsOf } from "./suspects.js";

export interface ReopenOptions extends DriveOptions {
  acceptWorkflowChange: boolean;
  /** Newer code is all that is to be taken up: the log says that the run continues only once it does. @default false */
  isForCode?: boolean;
  /** Replaces stored options where given. */
  config?: Partial<RunConfig>;
  /** Rows of nodes that then count as finished, unless they are over by now. */
  initialOutputs?: NonNullable<RunOptions["initialOutputs"]>;
}

/** A stored run in memory, with what its resume has to record. */
export interface Reopened {
  readonly session: PendingSession;
  readonly runSnapshot: StoredFacts;
  /** Null unless the run had ended early. */
  readonly reopening: Reopening | null;
  readonly changes: CodeChanges;
  /** Null unless rows came along. */
  readonly seeded: SeededSnapshot | null;
  /** Attempts that may have ended the process before. */
  readonly suspects: ReadonlySet<TaskKey>;
}

/**
 * A run whose own code throws in its first frame fails as it does by any later one. Files that are known to be others
 * than those it has been driven with are refused instead, unless the change is accepted.
 *
 * @throws RESUME_METADATA_MISMATCH, what drawing changed files throws; nothing is written then
 */
export async function reopenSession(
  services: EngineServices,
  run: RunRow,
  options: ReopenOptions,
): Promise<Reopened> {
  const stored = await load(services, run);
  const files = compareLoaded(stored.loaded, options.workflow.loaded);
  const deadly = lostTooOften(run, options);
  if (deadly !== null) return reopenUndrawn(services, run, { thrown: deadly, files, options });
  try {
    return await reopen(services, run, { stored, files, options });
  } catch (error) {
    if (!(error instanceof NotDrawn)) throw error;
    const { thrown } = error;
    const isOther = files.length > 0 || isOtherFile(stored, options.workflow);
    const isRefused = (isOther && !options.acceptWorkflowChange) || options.isForCode === true;
    if (isRefused || thrown === options.signal?.reason) throw thrown;
    return reopenUndrawn(services, run, { thrown, files, options });
  }
}

/** Nothing is known of a program's own code. */
function isOtherFile({ run }: RunSnapshot, { workflowHash }: ReopenOptions["workflow"]): boolean {
  return run.workflowHash !== null && workflowHash !== null && run.workflowHash !== workflowHash;
}

/** Each of its last processes died before it had written anything: what draws the tree would end this one, too. */
function lostTooOften(run: RunRow, { config: given }: ReopenOptions): ServiceError | null {
  const { maxInterruptions: limit = RUN_DEFAULTS.maxInterruptions } = { ...run.config, ...given };
  if (limit === 0 || run.lostStarts < limit) return null;
  return new ServiceError(
    "TASK_INTERRUPTED_TOO_OFTEN",
    `Run ${run.runId} lost its process ${run.lostStarts} times in a row before a task could begin, with no other run beside it: each time the process died while it rendered the tree or took up what had arrived.`,
    { details: { runId: run.runId, processes: run.lostStarts }, retryable: false },
  );
}

interface About {
  readonly files: readonly FileChange[];
  readonly options: ReopenOptions;
}

async function reopen(
  services: EngineServices,
  run: RunRow,
  { stored, files, options }: About & { stored: RunSnapshot },
): Promise<Reopened> {
  const { store } = services;
  const { runId } = run;
  const { initialOutputs, signal, workflow } = options;
  const { runSnapshot: own, reopening } = triesAgain(stored.run)
    ? await orNotDrawn(drawn(() => reopenRun(services, workflow, stored), signal))
    : { runSnapshot: stored, reopening: null };
  const seeded = initialOutputs === undefined ? null : await seedResumed(services, own, initialOutputs);
  const runSnapshot = seeded?.runSnapshot ?? own;
  // A change of the tree that the rows make is no change of the workflow.
  const unseeded =
    seeded === null || reopening !== null
      ? reopening?.frame
      : await orNotDrawn(drawn(() => renderRunSnapshot(services, workflow, own), signal));
  const history = await runHistory(store, runSnapshot, run.ownerId);
  const session = openRun(services, runSnapshot, { ...options, history });
  const frame = await orNotDrawn(renderFirst(session, options));
  return beforeDrive(session, async () => {
    const before = session.frameLog.newest?.tasks;
    const tasks = before === undefined ? [] : compareTasks(before, unseeded ?? frame);
    const changes: CodeChanges = { tasks, files };
    const isChanged = tasks.length > 0 || files.length > 0;
    if (isChanged && files.length === 0 && hasFailedByItsTree(stored.run)) {
      await orNotDrawn(refusedAgain(session, frame));
    }
    if (isChanged && !options.acceptWorkflowChange) throw changeRefused(runId, changes);
    await forgetRefusal(services, runId);
    const suspects = await suspectsOf(services, { run, runSnapshot, frame });
    return { runSnapshot: factsOf(runSnapshot), reopening, session, changes, seeded, suspects };
  });
}

/** Its rows are newer than its newest frame, as the one that they make was refused. */
function hasFailedByItsTree(run: RunRow): boolean {
  return triesAgain(run) && run.error?.code === "WORKFLOW_RENDER_FAILED";
}

/** @throws WORKFLOW_RENDER_FAILED as before, where the tree is still what it was */
async function refusedAgain({ state }: PendingSession, frame: RenderedFrame): Promise<void> {
  refuseLostSteps(state, frame.plan);
  refuseLateMembers(state, frame);
}

/** As the run was stored: nothing of it is tried again where its tree cannot be drawn. */
async function reopenUndrawn(
  services: EngineServices,
  run: RunRow,
  { thrown, files, options }: About & { thrown: unknown },
): Promise<Reopened> {
  const runSnapshot = await load(services, run);
  const history = await runHistory(services.store, runSnapshot, run.ownerId);
  const session = openRun(services, runSnapshot, { ...options, history });
  session.workflowName = runSnapshot.run.workflowName;
  session.firstThrown = { thrown };
  await forgetRefusal(services, run.runId);
  const changes: CodeChanges = { tasks: [], files };
  const suspects = new Set<TaskKey>();
  return { runSnapshot: factsOf(runSnapshot), reopening: null, session, changes, seeded: null, suspects };
}

/** Who keeps it as long as the run is driven must not keep large rows in memory. */
function factsOf({ outputs: _outputs, ...facts }: RunSnapshot): StoredFacts {
  return facts;
}

async function load({ store }: EngineServices, { runId }: RunRow): Promise<RunSnapshot> {
  const stored = await store.loadRun(runId);
  if (stored === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${runId} was deleted.`);
  return stored;
}

async function forgetRefusal({ store }: EngineServices, runId: string): Promise<void> {
  if ((await store.resumeFailure(runId)) !== undefined) await store.setResumeFailure(runId, null);
}

/** An error of the workflow's code, as distinct from one of the database or a refusal. */
class NotDrawn extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("The first frame was not drawn.");
    this.thrown = thrown;
  }
}

async function orNotDrawn<T>(drawing: Promise<T>): Promise<T> {
  try {
    return await drawing;
  } catch (thrown) {
    throw new NotDrawn(thrown);
  }
}
