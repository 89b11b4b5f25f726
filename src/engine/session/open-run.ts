import type { TaskKey } from "../../model/address.js";
import type { RunEvent } from "../../model/events.js";
import type { NodeRow } from "../../model/node.js";
import { hasEndedEarly } from "../../model/run.js";
import type { RunConfig } from "../../model/run-config.js";
import type { Lease, RunSnapshot } from "../../store/index.js";
import { editedPrompts } from "../reset/edited-prompts.js";
import { AlertWatch } from "../alerts/alert-watch.js";
import { createJob } from "../attempt/create-job.js";
import { mountedRun } from "../attempt/mounted-run.js";
import { ForkSources } from "../attempt/forks.js";
import { toSchedulerIntent } from "../inbox/inbox-intent.js";
import type { CodeUpdates, EngineServices, EngineWorkflow } from "../ports.js";
import { storedLedger } from "../budgets/stored-ledger.js";
import { FrameLog } from "../turn/frames.js";
import { openView } from "../view/open-view.js";
import { OutputIndex } from "../view/outputs.js";
import { memoryOf } from "./snapshot-memory.js";
import { type HoldServices, LeaseHold } from "./lease-hold.js";
import { openScoreQueue } from "../scores/open-score-queue.js";
import { Mailbox } from "./mailbox.js";
import { NO_HISTORY, type RunHistory } from "./run-history.js";
import type { Message, PendingSession, RunSession } from "./session.js";
import { writeGroupOf } from "./write-group.js";

export interface OpenOptions {
  readonly workflow: EngineWorkflow;
  readonly followContinuation: boolean;
  readonly onProgress?: (event: RunEvent) => void;
  /** Replaces stored options where given. */
  readonly config?: Partial<RunConfig>;
  /** @default nothing was tried before */
  readonly history?: RunHistory;
  /** @default the code stays what it is */
  readonly updates?: CodeUpdates | undefined;
}

/**
 * Builds the memory of a run from its run snapshot: of a stored run, of one that continues
 * another, of one that is about to be created. Nothing is rendered, written or leased yet.
 */
export function openRun(
  services: EngineServices,
  runSnapshot: RunSnapshot,
  options: OpenOptions,
): PendingSession {
  const { workflow, history = NO_HISTORY } = options;
  const { run } = runSnapshot;
  const config: RunConfig = { ...run.config, ...options.config };
  const { scheduler, ledger } = memoryOf(runSnapshot, config, services.taskCap !== undefined);
  const state = scheduler.view;
  const outputs = new OutputIndex(services.store, config.continuation?.earlierRows);
  for (const { outputKey, row } of runSnapshot.outputs) outputs.set(outputKey, row);
  const intents = runSnapshot.intents.map(toSchedulerIntent);
  const mailbox = new Mailbox<Message>(services.clock);
  const interrupted = new Set(ledger.openAttempts.keys());
  const jobContext = {
    forkSources: new ForkSources(),
    formerOwnerOf: (key: TaskKey) => (interrupted.has(key) ? history.formerOwner : null),
  };
  const lease = { runId: run.runId, ownerId: "", epoch: 0 };
  const session: PendingSession = {
    runId: run.runId,
    workflowName: "",
    workflowPath: run.workflowPath,
    workflowHash: workflow.workflowHash,
    input: runSnapshot.input,
    config,
    startedAtMs: run.startedAtMs ?? services.clock.now(),
    services,
    lease,
    hold: new LeaseHold(holdOf(services), lease, () => {}),
    ownerId: "",
    followContinuation: options.followContinuation,
    nextRunId: null,
    error: null,
    mailbox,
    view: openView(() => session, {
      workflow,
      outputs,
      services,
      onInvalidate: () => invalidate(mailbox),
    }),
    updates: options.updates ?? null,
    frameLog: new FrameLog(runSnapshot.lastSnapshot),
    outputs,
    ledger,
    budgets: storedLedger({ attempts: history.attempts, usage: runSnapshot.usage }),
    alerts: watchAlerts(services, { runSnapshot, workflow, rowOf: (key) => state.nodes.get(key)?.row }),
    deliveries: new Set(),
    scores: openScoreQueue(services, config, { sessionOf: () => session, mailbox }),
    leftScores: runSnapshot.pendingScores,
    handles: new Map(),
    heartbeats: new Map(history.checkpoints),
    revertedAttempts: history.revertedAttempts,
    mounted: mountedRun(() => session),
    jobOf: (key, attempt) => createJob(session, { key, attempt, ...jobContext }),
    onProgress: options.onProgress,
    lastHeartbeatWrites: new Map(),
    editedPrompts: editedPrompts(runSnapshot.controls),
    givenRows: new Map(),
    seenIntents: new Set(intents.map((intent) => intent.id)),
    // Signals wait in the state for their waiters; everything else is applied once the tree is mounted.
    seedIntents: intents.filter((intent) => intent.kind !== "signal"),
    arrivedIntents: runSnapshot.intents.filter(({ seen }) => !seen).map(toSchedulerIntent),
    scheduler,
    state,
    limits: workflow.limits,
    ticket: null,
    frame: null,
    isVisit: false,
    drawing: null,
    lateCode: null,
    readsChanged: false,
    status: hasEndedEarly(run) ? "running" : run.status,
    firstFrame: null,
    firstThrown: null,
  };
  return session;
}

/** A component changed its state by itself. */
export function invalidate(mailbox: Mailbox<Message>): void {
  mailbox.post({ type: "scheduler", event: { type: "invalidate", reason: "control" } });
}

export function giveLease(session: PendingSession, lease: Lease): RunSession {
  const { services, mailbox } = session;
  session.lease = lease;
  session.hold = new LeaseHold(holdOf(services), lease, (error) => mailbox.post({ type: "fenced", error }));
  session.ownerId = lease.ownerId;
  services.watch?.onDrive?.({ runId: session.runId, epoch: lease.epoch, config: session.config });
  return session;
}

/** Heartbeats go with those of the other runs in the database. */
function holdOf({ store, clock, heartbeatMs }: EngineServices): HoldServices {
  return { store: writeGroupOf(store), clock, heartbeatMs };
}

/** Null without rules: most runs pay nothing for alerts. */
function watchAlerts(
  services: EngineServices,
  about: { runSnapshot: RunSnapshot; workflow: EngineWorkflow; rowOf: (key: TaskKey) => NodeRow | undefined },
): AlertWatch | null {
  const { runSnapshot, workflow, rowOf } = about;
  if (workflow.alertRules.length === 0) return null;
  return new AlertWatch(workflow.alertRules, {
    fired: runSnapshot.controls.filter((control) => control.kind === "alert"),
    startedAtMs: runSnapshot.run.startedAtMs ?? services.clock.now(),
    nodes: runSnapshot.nodes,
    rowOf,
  });
}
