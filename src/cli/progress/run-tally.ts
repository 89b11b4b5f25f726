import { taskKey } from "../../model/address.js";
import type { RunEvent } from "../../model/events.js";
import type { NodeRow, NodeState } from "../../model/node.js";
import { instantText } from "../../util/instant-text.js";

/** The progress of one task from its events. */
export interface TaskProgress {
  readonly nodeId: string;
  readonly iteration: number;
  state: NodeState;
  attempt: number;
  /** Epoch ms at which the current state began. */
  sinceMs: number;
  /** Its wait, or its last output. */
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
        // The process that ran it is gone.
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
    const { nodeId, iteration = 0 } = at;
    return nodeId === undefined ? undefined : this.#tasks.get(taskKey({ nodeId, iteration }));
  }

  #fold(event: RunEvent): void {
    switch (event.type) {
      case "RunStarted":
        this.workflowName = event.workflowName;
        break;
      case "FrameCommitted":
        this.frameNo = event.frameNo;
        break;
      case "RunContinuedAsNew":
        this.#tasks.clear();
        this.#newest.clear();
        break;
      case "TokenUsageReported":
        this.tokens += event.inputTokens + event.outputTokens;
        break;
      case "NodeOutput": {
        const task = this.find(event);
        const last = event.text.trimEnd().split("\n").at(-1);
        if (task !== undefined && last !== undefined) task.note = last;
        break;
      }
      default: {
        const change = changeOf(event);
        if (change !== undefined) this.#set(change);
      }
    }
  }

  #set({ event, state, note }: TaskChange): void {
    const { nodeId, iteration, timestampMs } = event;
    const task = this.find(event);
    if (task === undefined) {
      this.#put({ nodeId, iteration, state, attempt: event.attempt ?? 0, sinceMs: timestampMs, note });
      return;
    }
    task.state = state;
    task.attempt = event.attempt ?? task.attempt;
    task.sinceMs = timestampMs;
    task.note = note;
  }

  #put(task: TaskProgress): void {
    this.#tasks.set(taskKey(task), task);
    const newest = this.#newest.get(task.nodeId);
    if (newest === undefined || newest.iteration <= task.iteration) this.#newest.set(task.nodeId, task);
  }
}

interface TaskChange {
  event: { nodeId: string; iteration: number; timestampMs: number; attempt?: number | undefined };
  state: NodeState;
  note: string;
}

/** The state that an event puts its task into; undefined for events that change none. */
function changeOf(event: RunEvent): TaskChange | undefined {
  switch (event.type) {
    case "NodePending":
    case "NodeInterrupted":
      return { event, state: "pending", note: "" };
    case "NodeStarted":
      return { event, state: "in-progress", note: "" };
    case "NodeFinished":
      return { event, state: "finished", note: "" };
    case "NodeFailed":
      return { event, state: "failed", note: event.error.message };
    case "NodeRetrying":
      return { event, state: "pending", note: "waits for its next attempt" };
    case "NodeCancelled":
      return { event, state: "cancelled", note: event.reason ?? "" };
    case "NodeSkipped":
      return { event, state: "skipped", note: event.reason ?? "" };
    case "NodeWaitingApproval":
      return { event, state: "waiting-approval", note: "approval" };
    case "NodeWaitingEvent":
      return { event, state: "waiting-event", note: `signal ${event.event}` };
    case "NodeWaitingTimer":
      return { event, state: "waiting-timer", note: `until ${instantText(event.firesAtMs)}` };
    case "NodeWaitingQuota":
      return {
        event,
        state: "waiting-quota",
        note: `quota until ${instantText(event.resetAtMs)}`,
      };
    default:
      return undefined;
  }
}
