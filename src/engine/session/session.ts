import type { TaskKey } from "../../model/address.js";
import type { FrameWaits } from "../../renderer/frame-waits.js";
import type { FiredAlert } from "../../model/alert.js";
import type { AgentQuestion } from "../../model/agent-question.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import type { EventBody, RunEvent } from "../../model/events.js";
import type { EditedPrompt } from "../../model/plan.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { NamedLimits } from "../../model/named-limit.js";
import type { StoredScore } from "../../model/scorer.js";
import type { SchedulerEvent, SchedulerIntent } from "../../scheduler/index.js";
import type { Lease, TakenReports, UsageRow } from "../../store/index.js";
import type { AlertWatch } from "../alerts/alert-watch.js";
import type { DeliveryOutcome } from "../alerts/deliver.js";
import type { BudgetLedger } from "../budgets/budget-ledger.js";
import { CommitBuilder, type CommitLedger } from "../turn/commit.js";
import type { FrameLog } from "../turn/frames.js";
import type {
  AttemptEventBody,
  AttemptHandle,
  AttemptJob,
  AttemptOutcome,
  AttemptPlacement,
  CodeUpdates,
  EngineServices,
  LoadedUpdate,
  MountedRun,
  OpenScore,
  ScoreOutcome,
} from "../ports.js";
import type { GivenRow } from "../attempt/task-row.js";
import type { SlotTicket } from "../slots/slot-limiter.js";
import type { ScoreQueue } from "../scores/score-queue.js";
import type { CodeView } from "../view/code-view.js";
import type { LeaseHold } from "./lease-hold.js";
import type { EndingRun } from "./disposition.js";
import type { Mailbox } from "./mailbox.js";

/** A message of a run's mailbox. */
export type Message =
  | { type: "completed"; key: TaskKey; attempt: number; outcome: AttemptOutcome }
  | { type: "heartbeat"; key: TaskKey; attempt: number; json: string | undefined }
  | { type: "placed"; key: TaskKey; attempt: number; at: AttemptPlacement }
  | { type: "attempt-event"; body: AttemptEventBody }
  | { type: "event"; body: EventBody }
  | { type: "effect"; effect: ToolEffect }
  /** Someone waits until what came before it is committed. */
  | { type: "keep"; onKept: () => void }
  | { type: "asked"; question: AgentQuestion }
  | { type: "taken"; taken: TakenReports }
  | { type: "scheduler"; event: SchedulerEvent }
  | { type: "delivered"; fired: FiredAlert; outcome: DeliveryOutcome }
  | { type: "scored"; score: OpenScore; outcome: ScoreOutcome }
  /** Its number is that of the next call. */
  | { type: "scorer-usage"; usage: Omit<UsageRow, "callNo"> }
  /** There is newer code. */
  | { type: "code" }
  /** Stop driving, leave the run resumable. */
  | { type: "stop"; reason: string }
  /** The lease is gone: another process drives the run. */
  | { type: "fenced"; error: Error };

/**
 * One run while this process drives it.
 *
 * Owns: the scheduler's state, the outputs in memory, the view, attempts
 * in progress. Does not own: when turns happen (run-loop), how attempts run
 * (dispatcher), how the database stores things (store).
 *
 * E1  Whatever a turn decides is committed before any of it takes effect.
 * E2  A failed commit ends the session; its memory is thrown away with it.
 * E3  A result counts only while its attempt is the node's current one and
 *     it is not aborted.
 */
export interface RunSession extends EndingRun {
  readonly services: EngineServices;
  readonly lease: Lease;
  readonly hold: LeaseHold;
  readonly mailbox: Mailbox<Message>;
  /** Of the newest code; attempts in progress keep theirs. */
  view: CodeView;
  readonly frameLog: FrameLog;
  /** Null: the code stays what it is. */
  readonly updates: CodeUpdates | null;
  readonly ledger: CommitLedger;
  readonly budgets: BudgetLedger;
  /** Null without rules. */
  alerts: AlertWatch | null;
  /** Ids of the alerts that are on their way: the run is not released before they have arrived. */
  readonly deliveries: Set<string>;
  /** Scores that were sampled and are not there yet: they keep the run from its end. */
  readonly scores: ScoreQueue;
  /** Those that an earlier process has left; taken over by the first turn. */
  leftScores: readonly StoredScore[];
  readonly handles: Map<TaskKey, AttemptHandle>;
  readonly jobOf: (key: TaskKey, attempt: number) => AttemptJob;
  /** The run as attempts of this process find it. */
  readonly mounted: MountedRun;
  readonly onProgress: ((event: RunEvent) => void) | undefined;
  /** Newest checkpoint of each task, JSON. */
  readonly heartbeats: Map<TaskKey, string>;
  /** Newest attempt of each task whose calls were undone. */
  readonly revertedAttempts: ReadonlyMap<TaskKey, number>;
  /** Inbox rows that the scheduler knows of. */
  readonly seenIntents: Set<number>;
  /** Prompts that people have put in the place of the tree's. */
  readonly editedPrompts: ReadonlyMap<TaskKey, EditedPrompt>;
  /** Rows that people have given, by their inbox rows, until they are taken up. */
  readonly givenRows: Map<number, GivenRow>;
  /** Requests that were there before the session, for its first turn. */
  readonly seedIntents: SchedulerIntent[];
  /** Requests that came while no process drove the run. */
  readonly arrivedIntents: readonly SchedulerIntent[];
  /** When each attempt's heartbeat was last written, epoch ms. */
  readonly lastHeartbeatWrites: Map<TaskKey, number>;
  /** Limits that the workflow declares. */
  readonly limits: NamedLimits;
  /** Where its tasks ask for slots; null while none has. */
  ticket: SlotTicket | null;
  frame: RenderedFrame | null;
  /** Of the newest code. */
  workflowName: string;
  workflowHash: string | null;
  /** It was opened for newer code alone and nothing has moved: no start is in the log. */
  isVisit: boolean;
  /** Set while a frame that was asked for cannot be drawn yet: wakes the mailbox once it is worth trying. */
  drawing: Promise<void> | null;
  /** Code that was saved and cannot be drawn yet. */
  lateCode: LateCode | null;
  /** A row that the last render had read has changed since. */
  readsChanged: boolean;
  /** Rendered before the run existed, so that a broken first frame writes nothing. */
  firstFrame: RenderedFrame | null;
  /** In the place of the first frame: what drawing it threw, which the run fails with as by any later frame. */
  firstThrown: { readonly thrown: unknown } | null;
}

/** Newer code that still loads a component. */
export interface LateCode {
  readonly update: LoadedUpdate;
  readonly view: CodeView;
  readonly waits: FrameWaits;
}

/** A session before it has a lease. */
export type PendingSession = { -readonly [K in keyof RunSession]: RunSession[K] };

export function beginCommit(session: RunSession): CommitBuilder {
  return new CommitBuilder(session.state, session.ledger, session.lease, session.services.clock.now());
}

/** Tells the scheduler. To be used through `advance`, which also looks after the alerts. */
export function notifyScheduler(session: RunSession, commit: CommitBuilder, event: SchedulerEvent): void {
  commit.add(session.scheduler.step(event, commit.now));
}
