import type { RunEvent } from "../../model/events.js";
import { type NodeRow, type NodeState, taskKey } from "../../model/node.js";

/** What the progress of one task looks like from its events. */
export interface TaskProgress {
  readonly nodeId: string;
  readonly iteration: number;
  state: NodeState;
  attempt: number;
  /** Epoch ms at which the current state began. */
  sinceMs: number;
  /** What it waits for, or what it last wrote. */
  note: string;
}

/**
 * The state of a run as this process has seen it: events folded into counts. A
 * resumed run starts from the rows of the tasks it had.
 */
export class RunTally {
  runId = "";
  workflowName = "";
  frameNo = 0;
  tokens = 0;
  readonly startedAtMs: number;
  readonly #tasks = new Map<string, TaskProgress>();
  readonly #newest = new Map<string, TaskProgress>();

  constructor(nowMs: number, known: readonly NodeRow[] = []) {
    this.startedAtMs = nowMs;
    for (const row of known) {
      this.#put({
        nodeId: row.nodeId,
        iteration: row.iteration,
        // Whoever ran it is gone.
        state: row.state === "in-progress" ? "pending" : row.state,
        attempt: row.lastAttempt,
        sinceMs: row.waitingSinceMs ?? row.updatedAtMs,
        note: "",
      });
    }
  }

  /** Applies one event and returns the task it is about, if any, as it stood before. */
  apply(event: RunEvent): TaskProgress | undefined {
    this.runId = event.runId;
    const before = "nodeId" in event && "iteration" in event ? this.find(event) : undefined;
    const previous = before === undefined ? undefined : { ...before };
    this.#fold(event);
    return previous;
  }

  /** The task at its newest iteration. */
  newest(nodeId: string): TaskProgress | undefined {
    return this.#newest.get(nodeId);
  }

  counts(): Partial<Record<NodeState, number>> {
    const counts: Partial<Record<NodeState, number>> = {};
    for (const { state } of this.#tasks.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** Tasks in one of these states, in the order they were first seen. */
  inState(...states: NodeState[]): TaskProgress[] {
    return [...this.#tasks.values()].filter(({ state }) => states.includes(state));
  }

  find(at: { nodeId?: string | undefined; iteration?: number | undefined }): TaskProgress | undefined {
    return at.nodeId === undefined ? undefined : this.#tasks.get(taskKey(at.nodeId, at.iteration ?? 0));
  }

  #fold(event: RunEvent): void {
    switch (event.type) {
      case "RunStarted":
        this.workflowName = event.workflowName;
        return;
      case "FrameCommitted":
        this.frameNo = event.frameNo;
        return;
      case "RunContinuedAsNew":
        this.#tasks.clear();
        this.#newest.clear();
        return;
      case "TokenUsageReported":
        this.tokens += event.inputTokens + event.outputTokens;
        return;
      case "NodePending":
      case "NodeInterrupted":
        return this.#set(event, "pending", "");
      case "NodeStarted":
        return this.#set(event, "in-progress", "");
      case "NodeFinished":
        return this.#set(event, "finished", "");
      case "NodeFailed":
        return this.#set(event, "failed", event.error.message);
      case "NodeRetrying":
        return this.#set(event, "pending", "waits for its next attempt");
      case "NodeCancelled":
        return this.#set(event, "cancelled", event.reason ?? "");
      case "NodeSkipped":
        return this.#set(event, "skipped", event.reason ?? "");
      case "NodeWaitingApproval":
        return this.#set(event, "waiting-approval", "approval");
      case "NodeWaitingEvent":
        return this.#set(event, "waiting-event", `signal ${event.event}`);
      case "NodeWaitingTimer":
        return this.#set(event, "waiting-timer", `until ${new Date(event.firesAtMs).toISOString()}`);
      case "NodeWaitingQuota":
        return this.#set(event, "waiting-quota", `quota until ${new Date(event.resetAtMs).toISOString()}`);
      case "NodeOutput": {
        const task = this.find(event);
        const last = event.text.trimEnd().split("\n").at(-1);
        if (task !== undefined && last !== undefined) task.note = last;
        return;
      }
      default:
        return;
    }
  }

  #set(event: RunEvent & { nodeId: string; iteration: number }, state: NodeState, note: string): void {
    const { nodeId, iteration, timestampMs } = event;
    const attempt = "attempt" in event && typeof event.attempt === "number" ? event.attempt : undefined;
    const task = this.find(event);
    if (task === undefined) {
      this.#put({ nodeId, iteration, state, attempt: attempt ?? 0, sinceMs: timestampMs, note });
      return;
    }
    task.state = state;
    task.attempt = attempt ?? task.attempt;
    task.sinceMs = timestampMs;
    task.note = note;
  }

  #put(task: TaskProgress): void {
    this.#tasks.set(taskKey(task.nodeId, task.iteration), task);
    const newest = this.#newest.get(task.nodeId);
    if (newest === undefined || newest.iteration <= task.iteration) this.#newest.set(task.nodeId, task);
  }
}
