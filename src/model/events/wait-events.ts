import { z } from "zod";
import { defineEvent, errorPayload, nodeAddress } from "./define-event.js";
import { once } from "../../util/once.js";

const decision = once(() => ({ decidedBy: z.string().optional(), note: z.string().optional() }));

const asked = once(() => z.looseObject({ title: z.string() }));

/** What is asked: the options only where there are some. */
const question = once(() => ({
  title: z.string(),
  requestHash: z.string(),
  request: asked(),
  options: z.array(z.looseObject({ key: z.string(), label: z.string() })).optional(),
}));

export const waitEvents = () =>
  [
    defineEvent("NodeWaitingApproval", nodeAddress()),
    defineEvent("NodeWaitingEvent", {
      ...nodeAddress(),
      event: z.string(),
      correlationId: z.string().optional(),
      timeoutAtMs: z.number().optional(),
      /** The payload is checked by a schema of the element's own, when it is taken up. */
      hasOwnSchema: z.literal(true).optional(),
    }),
    defineEvent("NodeWaitingTimer", { ...nodeAddress(), firesAtMs: z.number() }),
    defineEvent("NodeWaitingQuota", {
      ...nodeAddress(),
      agentId: z.string().optional(),
      resetAtMs: z.number(),
    }),
    defineEvent("ApprovalRequested", { ...nodeAddress(), ...question() }),
    /** The tree asks something else than it did; nobody had decided yet. */
    defineEvent("ApprovalRequestChanged", { ...nodeAddress(), ...question() }),
    /** A decision that arrived did not answer the question, or was not this person's to make. The node still waits. */
    defineEvent("DecisionRefused", {
      ...nodeAddress(),
      ...decision(),
      code: z.enum(["REQUEST_CHANGED", "FORBIDDEN"]),
      message: z.string(),
      approved: z.boolean(),
      /** What the decider was shown, where that is known. */
      shown: asked().optional(),
      /** What is asked. */
      asked: asked(),
    }),
    defineEvent("ApprovalGranted", { ...nodeAddress(), ...decision() }),
    defineEvent("ApprovalAutoApproved", { ...nodeAddress(), ...decision() }),
    defineEvent("ApprovalDenied", { ...nodeAddress(), ...decision() }),
    defineEvent("ApprovalTimedOut", nodeAddress()),
    /** A row of the inbox that is no request: it was put aside. */
    defineEvent("IntentUnreadable", { intentId: z.number().int(), error: errorPayload() }),
    defineEvent("SignalReceived", {
      signal: z.string(),
      correlationId: z.string().optional(),
      signalSeq: z.number().int(),
    }),
    defineEvent("SignalConsumed", { ...nodeAddress(), signal: z.string(), signalSeq: z.number().int() }),
    defineEvent("EventWaitTimedOut", { ...nodeAddress(), onTimeout: z.enum(["fail", "skip", "continue"]) }),
    defineEvent("TimerCreated", {
      ...nodeAddress(),
      timerId: z.string(),
      firesAtMs: z.number(),
      timerType: z.enum(["duration", "absolute"]),
    }),
    defineEvent("TimerFired", {
      ...nodeAddress(),
      timerId: z.string(),
      firesAtMs: z.number(),
      firedAtMs: z.number(),
      delayMs: z.number(),
    }),
    defineEvent("TimerCancelled", { ...nodeAddress(), timerId: z.string() }),
  ] as const;
