import { type TaskKey, taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { Intent, NodeWait, UnreadableIntent } from "../../model/intent.js";
import type { NodeRow } from "../../model/node.js";

export interface EndedWait {
  readonly key: TaskKey;
  readonly kind: WaitKind;
  /** Epoch ms. */
  readonly sinceMs: number;
  /** Epoch ms. */
  readonly untilMs: number;
  readonly outcome: string;
}

/** An entry of a run's inbox. */
export interface LeftIntent {
  readonly intent: Intent | UnreadableIntent;
  /** Epoch ms. */
  readonly createdAtMs: number;
}

/** The waits of a run's nodes, with their start. */
export class OpenWaits {
  readonly #waits = new Map<TaskKey, { kind: WaitKind; sinceMs: number }>();
  /** When answers came that no process had taken up, epoch ms, in order. */
  readonly #answers = new Map<TaskKey, number[]>();

  constructor(nodes: readonly NodeRow[], intents: readonly LeftIntent[]) {
    for (const node of nodes) {
      const { wait, waitingSinceMs } = node;
      if (wait === null || waitingSinceMs === null || isOver(wait)) continue;
      this.#waits.set(taskKey(node), { kind: wait.kind, sinceMs: waitingSinceMs });
    }
    for (const { intent, createdAtMs } of intents) {
      if (intent.kind !== "approval") continue;
      const key = taskKey(intent);
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), createdAtMs]);
    }
  }

  /** @returns the wait that the event ends, if it does */
  follow(body: EventBody, atMs: number): EndedWait | undefined {
    const end = waitEndOf(body);
    const answeredMs = isAnswer(body) ? this.#answers.get(taskKey(body))?.shift() : undefined;
    const ended = end && this.#end(end.key, end.outcome, answeredMs ?? atMs);
    const wait = waitOf(body);
    if (wait !== undefined && !this.#waits.has(wait.key)) {
      this.#waits.set(wait.key, { kind: wait.kind, sinceMs: atMs });
    }
    return ended;
  }

  /** All of them, with the run. */
  endAll(outcome: string, atMs: number): EndedWait[] {
    return [...this.#waits.keys()].flatMap((key) => this.#end(key, outcome, atMs) ?? []);
  }

  #end(key: TaskKey, outcome: string, untilMs: number): EndedWait | undefined {
    const wait = this.#waits.get(key);
    this.#waits.delete(key);
    if (wait === undefined) return undefined;
    // It is taken up by an attempt, which says so when it ends.
    const isReceived = wait.kind === "event" && outcome === "continued";
    return { key, outcome: isReceived ? "received" : outcome, untilMs, ...wait };
  }
}

/** Its end was recorded when it came: only the attempt that takes it up is left. */
function isOver(wait: NodeWait): boolean {
  return (wait.kind === "timer" && wait.fired === true) || (wait.kind === "event" && wait.timedOut === true);
}

function isAnswer(
  body: EventBody,
): body is Extract<EventBody, { type: "ApprovalGranted" | "ApprovalDenied" | "DecisionRefused" }> {
  return body.type === "ApprovalGranted" || body.type === "ApprovalDenied" || body.type === "DecisionRefused";
}

type WaitKind = NodeWait["kind"];

/** The wait that a node begins, if the event says so. */
function waitOf(event: EventBody): { key: TaskKey; kind: WaitKind } | undefined {
  switch (event.type) {
    case "NodeWaitingApproval":
      return { key: taskKey(event), kind: "approval" };
    case "NodeWaitingEvent":
      return { key: taskKey(event), kind: "event" };
    case "NodeWaitingTimer":
      return { key: taskKey(event), kind: "timer" };
    case "NodeWaitingQuota":
      return { key: taskKey(event), kind: "quota" };
    default:
      return undefined;
  }
}

/** How the wait of an event's node has ended. Of several such events for one wait, the first one says it. */
const OUTCOMES = {
  ApprovalGranted: "granted",
  ApprovalAutoApproved: "auto-approved",
  ApprovalDenied: "denied",
  ApprovalTimedOut: "timed-out",
  SignalConsumed: "received",
  EventWaitTimedOut: "timed-out",
  TimerFired: "fired",
  TimerCancelled: "cancelled",
  NodeStarted: "continued",
  NodeFinished: "finished",
  NodeFailed: "failed",
  NodeCancelled: "cancelled",
  NodeSkipped: "skipped",
  NodePending: "reopened",
} as const satisfies Partial<Record<EventBody["type"], string>>;

function waitEndOf(event: EventBody): { key: TaskKey; outcome: string } | undefined {
  if (!endsWait(event)) return undefined;
  return { key: taskKey(event), outcome: OUTCOMES[event.type] };
}

function endsWait(event: EventBody): event is Extract<EventBody, { type: keyof typeof OUTCOMES }> {
  return Object.hasOwn(OUTCOMES, event.type);
}
