import type { EventBody } from "../model/events.js";
import type { Intent, IntentOf, UnreadableIntent } from "../model/intent.js";

/** A request from outside, as the scheduler gets it. */
export type SchedulerIntent =
  | ((Exclude<Intent, { kind: "complete" }> | UnreadableIntent | AutomaticDecision) & InboxPlace)
  | Completion;

export interface InboxPlace {
  /** Inbox row; negative for what this process asks itself. */
  id: number;
  /** When it was sent, epoch ms. */
  atMs: number;
}

/** A decision that a rule has made, or an earlier one that was kept. */
export type AutomaticDecision = IntentOf<"approval"> & { automatic: true };

export type SignalIntent = IntentOf<"signal"> & InboxPlace;
export type CancelIntent = IntentOf<"cancel">;
export type DecisionIntent = IntentOf<"approval"> & InboxPlace & { automatic?: true };

/** `problem`: why its row is none for the task; absent for one that is. */
type Completion = IntentOf<"complete"> & InboxPlace & { problem?: { code: string; message: string } };

/** What a person does for a task in the place of an attempt. */
export type Intervention = Completion | (IntentOf<"skip"> & InboxPlace);

/** How the log tells that a signal has come. */
export function signalReceived({ id, name, correlationId }: SignalIntent): EventBody {
  return {
    type: "SignalReceived",
    signal: name,
    signalSeq: id,
    ...(correlationId !== undefined && { correlationId }),
  };
}
