import { z } from "zod";
import { defineEvent, errorPayload, nodeAddress } from "./define-event.js";

const decision = { decidedBy: z.string().optional(), note: z.string().optional() };

export const waitEvents = [
  defineEvent("NodeWaitingApproval", nodeAddress),
  defineEvent("NodeWaitingEvent", {
    ...nodeAddress,
    event: z.string(),
    correlationId: z.string().optional(),
    timeoutAtMs: z.number().optional(),
    /** The payload is checked by a schema of the element's own, when it is taken up. */
    hasOwnSchema: z.literal(true).optional(),
  }),
  defineEvent("NodeWaitingTimer", { ...nodeAddress, firesAtMs: z.number() }),
  defineEvent("NodeWaitingQuota", { ...nodeAddress, agentId: z.string().optional(), resetAtMs: z.number() }),
  defineEvent("ApprovalRequested", { ...nodeAddress, title: z.string() }),
  defineEvent("ApprovalGranted", { ...nodeAddress, ...decision }),
  defineEvent("ApprovalAutoApproved", { ...nodeAddress, ...decision }),
  defineEvent("ApprovalDenied", { ...nodeAddress, ...decision }),
  defineEvent("ApprovalTimedOut", nodeAddress),
  /** A row of the inbox that is no request: it was put aside. */
  defineEvent("IntentUnreadable", { intentId: z.number().int(), error: errorPayload }),
  defineEvent("SignalReceived", {
    signal: z.string(),
    correlationId: z.string().optional(),
    signalSeq: z.number().int(),
  }),
  defineEvent("SignalConsumed", { ...nodeAddress, signal: z.string(), signalSeq: z.number().int() }),
  defineEvent("EventWaitTimedOut", { ...nodeAddress, onTimeout: z.enum(["fail", "skip", "continue"]) }),
  defineEvent("TimerCreated", {
    ...nodeAddress,
    timerId: z.string(),
    firesAtMs: z.number(),
    timerType: z.enum(["duration", "absolute"]),
  }),
  defineEvent("TimerFired", {
    ...nodeAddress,
    timerId: z.string(),
    firesAtMs: z.number(),
    firedAtMs: z.number(),
    delayMs: z.number(),
  }),
  defineEvent("TimerCancelled", { ...nodeAddress, timerId: z.string() }),
] as const;
