import { type TaskKey, taskKey } from "../../model/address.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { StoredEvent } from "../../model/events.js";
import type { Store } from "../../store/index.js";

/** The last word about a request up to some event, and whether another one followed. */
interface Word {
  readonly status: "approved" | "denied";
  readonly decidedBy?: string | undefined;
  readonly note?: string | undefined;
  readonly atMs: number;
  isReplaced: boolean;
}

const TYPES = [
  "ApprovalRequested",
  "ApprovalGranted",
  "ApprovalAutoApproved",
  "ApprovalDenied",
  "RetryTaskStarted",
  "RunRewound",
] as const;

/** The decisions that stood at an event of the log. One that was forgotten since is put together from its event. */
export async function decisionsAsOf(store: Store, runId: string, seq: number): Promise<ApprovalRow[]> {
  const rows = await store.listApprovals({ runId, limit: Number.MAX_SAFE_INTEGER });
  if (rows.length === 0) return [];
  const events = await store.listEvents(runId, { types: [...TYPES], limit: Number.MAX_SAFE_INTEGER });
  const words = new Map<TaskKey, Word>();
  for (const event of events) take(words, event, seq);
  return rows.flatMap((row) => {
    const word = words.get(taskKey(row));
    if (word === undefined) return [];
    const { status, decidedBy, note, atMs } = word;
    if (!word.isReplaced && row.decision !== null) return [{ ...row, status }];
    // An event tells of a yes or a no, and of nothing that was said with it: that is asked again.
    if (status === "approved" && (row.mode !== "gate" || row.request.asksForData === true)) return [];
    const decision = {
      approved: status === "approved",
      ...(decidedBy !== undefined && { decidedBy }),
      ...(note !== undefined && { note }),
    };
    return [{ ...row, status, decision, decidedAtMs: atMs }];
  });
}

function take(words: Map<TaskKey, Word>, { seq, event }: StoredEvent, until: number): void {
  const forget = (key: TaskKey) => {
    const word = words.get(key);
    if (word === undefined) return;
    if (seq <= until) words.delete(key);
    else word.isReplaced = true;
  };
  switch (event.type) {
    case "ApprovalRequested":
      return forget(taskKey(event));
    case "RetryTaskStarted":
    case "RunRewound":
      for (const key of event.resetNodes) forget(key as TaskKey);
      return;
    case "ApprovalGranted":
    case "ApprovalAutoApproved":
    case "ApprovalDenied": {
      const key = taskKey(event);
      forget(key);
      if (seq > until) return;
      const { decidedBy, note } = event;
      const status = event.type === "ApprovalDenied" ? "denied" : "approved";
      words.set(key, { status, decidedBy, note, atMs: event.timestampMs, isReplaced: false });
    }
  }
}
