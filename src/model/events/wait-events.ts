import { z } from "zod";
import { defineEvent, errorPayload, nodeAddress } from "./define-event.js";
import { once } from "../../util/once.js";

const decision = once(() => ({
  /** Who decided, as the door knew them or the caller said. */
  decidedBy: z.string().optional(),
  /** In the decider's words. */
  note: z.string().optional(),
}));

const asked = once(() => z.looseObject({ title: z.string() }));

/** The question: the options only where there are some. */
const question = once(() => ({
  /** One line. */
  title: z.string(),
  /** Tells this question from what the node asked before, or will ask: a decision may name it. */
  requestHash: z.string(),
  /** All of the question, as it is shown. */
  request: asked(),
  /** The options to choose from, or to rank. */
  options: z.array(z.looseObject({ key: z.string(), label: z.string() })).optional(),
}));

const signal = once(() => ({
  /** Its name. */
  signal: z.string(),
  /** Number of the signal in the run's inbox: the same when it comes and when it is taken up. */
  signalSeq: z.number().int(),
}));

const timer = once(() => ({
  ...nodeAddress(),
  /** The node's id. */
  timerId: z.string(),
}));

const fires = once(() => ({
  /** When it is due, epoch milliseconds. */
  firesAtMs: z.number(),
}));

/** Events of what tasks wait for, and of what arrives. */
export const waitEvents = () =>
  [
    /** A node waits for a decision, which an ApprovalRequested before it asks for. */
    defineEvent("NodeWaitingApproval", nodeAddress()),
    /** A node waits for a signal, or for the end of its child run. */
    defineEvent("NodeWaitingEvent", {
      ...nodeAddress(),
      /** Name of the signal. */
      event: z.string(),
      /** The correlation id that the signal has to carry, exactly. */
      correlationId: z.string().optional(),
      /** When it waits no longer, epoch milliseconds. */
      timeoutAtMs: z.number().optional(),
      /** The payload is checked by a schema of the element's own, when it is taken up. */
      hasOwnSchema: z.literal(true).optional(),
    }),
    /** A node waits for a time. */
    defineEvent("NodeWaitingTimer", { ...nodeAddress(), ...fires() }),
    /** All agents of a task are out of quota; the attempt does not count. */
    defineEvent("NodeWaitingQuota", {
      ...nodeAddress(),
      /** The agent that can work first. */
      agentId: z.string().optional(),
      /** When there is quota again, as far as is known, epoch milliseconds. */
      resetAtMs: z.number(),
    }),
    /** People are asked. */
    defineEvent("ApprovalRequested", { ...nodeAddress(), ...question() }),
    /** The tree asks something else than it did; no decision had been made yet. */
    defineEvent("ApprovalRequestChanged", { ...nodeAddress(), ...question() }),
    /** A decision that was kept did not count when it was taken up. What the node waits for is as it was. */
    defineEvent("DecisionRefused", {
      ...nodeAddress(),
      ...decision(),
      /**
       * The question is another one by now, the person may not decide it, another decision came first, or the node
       * waited for none any more: its time was over, or the run was rewound or cancelled.
       */
      code: z.enum(["REQUEST_CHANGED", "FORBIDDEN", "ALREADY_DECIDED", "NODE_NOT_WAITING"]),
      /** The same in a sentence. */
      message: z.string(),
      /** The decision. */
      approved: z.boolean(),
      /** The question that the decider was shown, where it is known. */
      shown: asked().optional(),
      /** The question now; absent when there is none. */
      asked: asked().optional(),
    }),
    /** A request has its yes, its choice or its order. */
    defineEvent("ApprovalGranted", { ...nodeAddress(), ...decision() }),
    /** A request was granted by the condition of its element: no person was asked. */
    defineEvent("ApprovalAutoApproved", { ...nodeAddress(), ...decision() }),
    /** A request has its no. */
    defineEvent("ApprovalDenied", { ...nodeAddress(), ...decision() }),
    /** No decision has come in time. */
    defineEvent("ApprovalTimedOut", nodeAddress()),
    /** A row of the inbox that is no request: it was put aside. */
    defineEvent("IntentUnreadable", {
      /** Number of the row. */
      intentId: z.number().int(),
      /** The error. */
      error: errorPayload(),
    }),
    /** A signal has arrived, whether or not a node waits for it. */
    defineEvent("SignalReceived", {
      ...signal(),
      /** Its correlation id. */
      correlationId: z.string().optional(),
    }),
    /** A node has taken a signal up. */
    defineEvent("SignalConsumed", { ...nodeAddress(), ...signal() }),
    /** No signal has come in time. */
    defineEvent("EventWaitTimedOut", {
      ...nodeAddress(),
      /** The element's rule for that. */
      onTimeout: z.enum(["fail", "skip", "continue"]),
    }),
    /** A timer is reached; its time stays as it is from then on. */
    defineEvent("TimerCreated", {
      ...timer(),
      ...fires(),
      /** Whether the element names a duration or a time. */
      timerType: z.enum(["duration", "absolute"]),
    }),
    /** A timer's time has come. */
    defineEvent("TimerFired", {
      ...timer(),
      ...fires(),
      /** When a process acted on it, epoch milliseconds. */
      firedAtMs: z.number(),
      /** The difference, milliseconds: while no process drives the run no timer fires. */
      delayMs: z.number(),
    }),
    /** A timer will not fire: its node is skipped or has left the tree. */
    defineEvent("TimerCancelled", timer()),
  ] as const;
