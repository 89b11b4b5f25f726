import type { AttemptJob, AttemptOutcome, AttemptPlacement, EngineWorkflow, OpenScore } from "../ports.js";
import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import type { FiredAlert, Hold } from "../../model/alert.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { EventBody, RunEvent } from "../../model/events.js";
import type { AttemptRow } from "../../model/node.js";
import type { EditedPrompt } from "../../model/plan.js";
import type { ScoreAddress, ScoreEnd, StoredScore } from "../../model/scorer.js";
import type { AgentQuestion } from "../../model/agent-question.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import type { Command, ScheduledNode, SchedulerView } from "../../scheduler/index.js";
import type {
  AwaitedSchema,
  CacheRow,
  Dispatch,
  TakenReports,
  FrameWrite,
  FreedSlot,
  Lease,
  MemoryWrite,
  NewIntent,
  NewRun,
  OutputWrite,
  RunCommit,
  RunPatch,
  UsageRow,
} from "../../store/index.js";

type EffectType = "start" | "abort" | "hand-over" | "ask-slot" | "free-slot";

/** An attempt that may begin, or the outcome of one that may not. */
export type PreparedStart = { readonly job: AttemptJob } | { readonly refusal: AttemptOutcome };

/** The counters and open attempts that outlive a single commit. */
export interface CommitLedger {
  nextSeq: number;
  frameNo: number;
  readonly openAttempts: Map<TaskKey, AttemptRow>;
}

/**
 * Collects what one turn changes and turns it into one transaction. Facts come
 * from the scheduler's commands; effects are kept for after the commit.
 */
export class CommitBuilder {
  readonly #state: SchedulerView;
  readonly #ledger: CommitLedger;
  readonly #lease: Lease;
  readonly now: number;
  readonly #nodes = new Set<TaskKey>();
  readonly #controls = new Set<string>();
  readonly #attempts = new Set<AttemptRow>();
  readonly #approvals = new Map<TaskKey, ApprovalRow>();
  readonly #consumed: number[] = [];
  readonly #freedSlots: FreedSlot[] = [];
  readonly #holds = new Map<string, Hold>();
  #openRequests: ApprovalRow[] = [];
  #seenEvents = 0;
  #unseenNodes: TaskKey[] = [];
  readonly outputs: OutputWrite[] = [];
  readonly removedOutputs: RunCommit["removedOutputs"] = [];
  readonly resetNodes: NonNullable<RunCommit["resetNodes"]> = [];
  readonly frames: FrameWrite[] = [];
  readonly usage: UsageRow[] = [];
  readonly questions: AgentQuestion[] = [];
  readonly sampledScores: StoredScore[] = [];
  readonly scoreEnds: (ScoreAddress & ScoreEnd)[] = [];
  readonly cache: CacheRow[] = [];
  readonly #toolEffects = new Map<string, ToolEffect>();
  readonly #memory: MemoryWrite[] = [];
  readonly newRuns: NewRun[] = [];
  readonly requests: NewIntent[] = [];
  readonly events: RunCommit["events"] = [];
  /** Alerts that have fired, or have arrived. */
  readonly marks: FiredAlert[] = [];
  readonly prompts: EditedPrompt[] = [];
  /** Inbox rows that this process has come to know. */
  readonly seenIntents: number[] = [];
  /** Alerts to be delivered once the commit is durable. */
  readonly deliveries: FiredAlert[] = [];
  /** Called once the commit is durable. */
  readonly waiting: (() => void)[] = [];
  /** Scores whose scorers are asked once the commit is durable. */
  readonly scorings: OpenScore[] = [];
  /** Attempts that it starts, where they had to be prepared before it. */
  readonly starts = new Map<TaskKey, PreparedStart>();
  /** Of those that are executed elsewhere. */
  dispatches: readonly Dispatch[] = [];
  /** Reports of workers that it keeps, by their dispatches. A commit of nothing else is none: the next report brings them again. */
  readonly takenReports = new Map<string, TakenReports>();
  readonly effects: Extract<Command, { type: EffectType }>[] = [];
  run: RunPatch = {};
  /** Of the code that the run continues with from here; null where it is the same, or not known. */
  loaded: EngineWorkflow["loaded"] = null;

  constructor(state: SchedulerView, ledger: CommitLedger, lease: Lease, now: number) {
    this.#state = state;
    this.#ledger = ledger;
    this.#lease = lease;
    this.now = now;
  }

  add(commands: readonly Command[]): void {
    for (const command of commands) this.#add(command);
  }

  #add(command: Command): void {
    switch (command.type) {
      case "node":
        this.#nodes.add(command.key);
        this.#unseenNodes.push(command.key);
        return;
      case "control":
        this.#controls.add(command.id);
        return;
      case "hold": {
        const { hold } = command;
        this.#holds.set(hold.id, hold);
        if (!hold.asks) this.run.paused = hold.isOpen ? { reason: hold.reason, sinceMs: hold.sinceMs } : null;
        return;
      }
      case "approval":
        this.#approvals.set(taskKey(command.row), {
          ...command.row,
          runId: this.#lease.runId,
        });
        if (command.row.decision === null) this.#openRequests.push(command.row);
        return;
      case "event":
        this.event(command.body);
        return;
      case "attempt-closed":
        return this.#close(command);
      case "consume":
        // Requests of this process itself have no inbox row.
        if (command.intentId >= 0) this.#consumed.push(command.intentId);
        return;
      case "free-slot":
        // Without limits it is one of this process only.
        if (command.limits.length > 0) {
          this.#freedSlots.push({ ...parseTaskKey(command.key), isUnused: command.isUnused });
        }
        this.effects.push(command);
        return;
      case "start":
        this.#open(command.key, command.attempt);
        this.effects.push(command);
        return;
      case "abort":
      case "hand-over":
      case "ask-slot":
        this.effects.push(command);
        return;
      default:
        command satisfies never;
    }
  }

  /** Whether approvals have been requested since the last `takeOpenRequests`. */
  get hasOpenRequests(): boolean {
    return this.#openRequests.length > 0;
  }

  /** Approvals requested since the last call. */
  takeOpenRequests(): ApprovalRow[] {
    const requests = this.#openRequests;
    this.#openRequests = [];
    return requests;
  }

  /** Nodes whose rows this commit writes. */
  get changedNodes(): Iterable<TaskKey> {
    return this.#nodes;
  }

  /** Events since the last call. */
  takeUnseenEvents(): RunCommit["events"] {
    const unseen = this.events.slice(this.#seenEvents);
    this.#seenEvents = this.events.length;
    return unseen;
  }

  /** Nodes that have changed since the last call. */
  takeUnseenNodes(): TaskKey[] {
    const unseen = new Set(this.#unseenNodes);
    this.#unseenNodes = [];
    return [...unseen];
  }

  event(body: EventBody): void {
    const seq = this.#ledger.nextSeq;
    this.#ledger.nextSeq += 1;
    this.events.push({ seq, timestampMs: this.now, body });
  }

  /** Number of the first event of the type; null without one. */
  seqOf(type: EventBody["type"]): number | null {
    return this.events.find(({ body }) => body.type === type)?.seq ?? null;
  }

  #open(key: TaskKey, attempt: number): void {
    const { row: node, task } = this.#state.nodes.get(key) as ScheduledNode;
    const { nodeId, iteration } = node;
    const row: AttemptRow = {
      nodeId,
      iteration,
      attempt,
      state: "in-progress",
      startedAtMs: this.now,
      finishedAtMs: null,
      heartbeatAtMs: null,
      heartbeatJson: null,
      error: null,
      cached: false,
      meta: task?.aspectIds === undefined ? null : { aspectIds: task.aspectIds },
    };
    this.#ledger.openAttempts.set(key, row);
    this.#attempts.add(row);
  }

  #close(command: Extract<Command, { type: "attempt-closed" }>): void {
    const row = this.#ledger.openAttempts.get(command.key);
    if (row === undefined || row.attempt !== command.attempt) return;
    this.#ledger.openAttempts.delete(command.key);
    row.state = command.state;
    // The clock may have been set back meanwhile.
    row.finishedAtMs = Math.max(Math.min(command.endedAtMs ?? this.now, this.now), row.startedAtMs);
    row.error = command.error;
    this.#attempts.add(row);
  }

  /** Adds to the row of an attempt in progress. */
  patchAttempt(
    key: TaskKey,
    patch: Partial<
      Pick<AttemptRow, "cached" | "meta" | "heartbeatAtMs" | "heartbeatJson"> & AttemptPlacement
    >,
  ): void {
    const row = this.#ledger.openAttempts.get(key);
    if (row === undefined) return;
    const meta = patch.meta === undefined ? row.meta : { ...row.meta, ...patch.meta };
    Object.assign(row, patch, { meta });
    this.#attempts.add(row);
  }

  /** Adds a call that can be undone, as it is now. */
  keepEffect(effect: ToolEffect): void {
    this.#toolEffects.set(`${taskKey(effect)} ${effect.attempt} ${effect.callNo}`, effect);
  }

  /** Adds the memory write of a finished task. */
  remember(write: MemoryWrite): void {
    const { fact, said } = write;
    this.#memory.push(write);
    if (fact !== undefined) this.event({ type: "MemoryFactSet", namespace: fact.namespace, key: fact.key });
    for (const { role } of said?.messages ?? []) {
      this.event({ type: "MemoryMessageSaved", threadId: said?.threadId ?? "", role });
    }
  }

  fail(error: SerializedError): void {
    this.run.error = error;
    this.event({ type: "RunFailed", error });
  }

  get isEmpty(): boolean {
    return (
      this.events.length === 0 &&
      this.#nodes.size === 0 &&
      this.#attempts.size === 0 &&
      this.#controls.size === 0 &&
      this.#holds.size === 0 &&
      this.marks.length === 0 &&
      this.#approvals.size === 0 &&
      this.#consumed.length === 0 &&
      this.#freedSlots.length === 0 &&
      this.frames.length === 0 &&
      this.outputs.length === 0 &&
      this.#toolEffects.size === 0 &&
      this.usage.length === 0 &&
      this.questions.length === 0 &&
      this.scoreEnds.length === 0 &&
      this.loaded === null &&
      Object.keys(this.run).length === 0
    );
  }

  /** Of a node that begins to wait for data, or has failed: a person may give it its row. */
  #answerSchema({ key, row, task }: ScheduledNode): AwaitedSchema | undefined {
    const { state, nodeId, iteration } = row;
    if (state !== "waiting-event" && state !== "waiting-approval" && state !== "failed") return undefined;
    if (state === "waiting-approval" && this.#approvals.get(key)?.request.asksForData !== true)
      return undefined;
    const schema = task?.outputSchema;
    return schema && { nodeId, iteration, schema };
  }

  build(): RunCommit {
    const nodes: RunCommit["nodes"] = [];
    const answerSchemas: AwaitedSchema[] = [];
    for (const key of this.#nodes) {
      const node = this.#state.nodes.get(key);
      if (node === undefined) continue;
      nodes.push(node.row);
      const answer = this.#answerSchema(node);
      if (answer !== undefined) answerSchemas.push(answer);
    }
    const controls: RunCommit["controls"] = [];
    for (const id of this.#controls) {
      const control = this.#state.controls.get(id);
      if (control !== undefined) controls.push(control);
    }
    controls.push(...this.#holds.values(), ...this.marks, ...this.prompts);
    return {
      lease: this.#lease,
      nowMs: this.now,
      run: Object.assign(this.run, { nextSeq: this.#ledger.nextSeq, frameNo: this.#ledger.frameNo }),
      nodes,
      attempts: [...this.#attempts],
      outputs: this.outputs,
      removedOutputs: this.removedOutputs,
      ...(this.resetNodes.length > 0 && { resetNodes: this.resetNodes }),
      controls,
      events: this.events,
      frames: this.frames,
      approvals: [...this.#approvals.values()],
      consumedIntents: this.#consumed,
      ...(this.seenIntents.length > 0 && { seenIntents: this.seenIntents }),
      ...(this.#freedSlots.length > 0 && { freedSlots: this.#freedSlots }),
      usage: this.usage,
      ...(this.questions.length > 0 && { questions: this.questions }),
      ...(this.sampledScores.length > 0 && { sampledScores: this.sampledScores }),
      ...(this.scoreEnds.length > 0 && { scoreEnds: this.scoreEnds }),
      ...(this.#toolEffects.size > 0 && { toolEffects: [...this.#toolEffects.values()] }),
      cache: this.cache,
      ...(this.#memory.length > 0 && { memory: this.#memory }),
      newRuns: this.newRuns,
      requests: this.requests,
      ...(this.dispatches.length > 0 && { dispatches: this.dispatches }),
      ...(this.takenReports.size > 0 && { takenReports: [...this.takenReports.values()] }),
      ...(this.loaded !== null && { loaded: this.loaded }),
      ...(answerSchemas.length > 0 && { answerSchemas }),
    };
  }
}

/** An event as readers get it. */
export function toRunEvent(runId: string, event: { timestampMs: number; body: EventBody }): RunEvent {
  return { ...event.body, runId, timestampMs: event.timestampMs } as RunEvent;
}
