import type { SerializedError } from "../errors/ensure-error.js";
import type { RunAuthContext } from "./run-auth.js";

/** The plan of a delivery; kept until it is done, so that any process can do it. */
export interface DeliveryPlan {
  signal: DeliveredSignal | null;
  run: DeliveredRun | null;
}

export interface DeliveredSignal {
  name: string;
  correlationId: string | null;
  /** Runs that it is for, found when the delivery came. */
  runIds: string[];
  data: unknown;
}

export interface DeliveredRun {
  /** Made of the delivery, so that a start made twice is one run. */
  runId: string;
  input: Record<string, unknown>;
}

/** The result of a delivery. */
export interface DeliveryResult {
  /** Runs that have got the signal. */
  delivered: { runId: string; signal: string; correlationId: string | null }[];
  /** The run that was started. */
  started: { runId: string } | null;
}

export const DELIVERY_STATES = ["received", "done", "failed"] as const;
/** `received`: it is being acted upon, or its process died over it; `failed`: it may be sent again. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One verified request to a webhook. Times are epoch milliseconds. */
export interface WebhookDelivery {
  webhookKey: string;
  /** `id:` and what the sender calls it, `body:` and the digest of its body, or `replay:` and the id of a replay. */
  deliveryKey: string;
  /** SHA-256 of the body, hex. */
  bodyDigest: string;
  /** The body as it came; null of one that is too large to be kept, or was received too long ago. */
  bodyText: string | null;
  state: DeliveryState;
  receivedAtMs: number;
  settledAtMs: number | null;
  /** How often it came again. */
  repeats: number;
  /** Null once it is done or has failed. */
  plan: DeliveryPlan | null;
  result: DeliveryResult | null;
  error: SerializedError | null;
  /** Key of the delivery that was made once more with this one; null of one that came from its sender. */
  replayOf: string | null;
  /** Who replayed it last; null of one that only its sender has sent. */
  replayedBy: RunAuthContext | null;
}

/** Requests to a webhook that were refused for one reason within one minute. Times are epoch milliseconds. */
export interface WebhookRefusal {
  webhookKey: string;
  /** Code of the error that they were answered with. */
  code: string;
  /** Begin of the minute. */
  sinceMs: number;
  /** The newest of them. */
  refusedAtMs: number;
  requests: number;
  /** Of the newest. */
  message: string;
  /** Whether the newest was signed rightly: it comes from the sender, and what it carried could not be read. */
  isSigned: boolean;
}
