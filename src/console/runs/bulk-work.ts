import { useSyncExternalStore } from "react";
import { ClientError, type GatewayClient, type GatewayMethodName } from "../../client/index.js";
import { explained } from "../parts/explained.js";

export type BulkVerb = "Cancel" | "Resume" | "Retry" | "Delete";

/** What each of them calls. */
export const METHOD_OF = {
  Cancel: "cancelRun",
  Resume: "resumeRun",
  Retry: "resumeRun",
  Delete: "pruneRuns",
} as const satisfies Record<BulkVerb, GatewayMethodName>;

/** What is done to many runs, and how far it has come. */
export interface BulkWork {
  verb: BulkVerb;
  acceptWorkflowChange: boolean;
  total: number;
  done: number;
  refused: readonly { runId: string; reason: string }[];
  isUnderWay: boolean;
}

/** It goes on, and stays to be read, while other views are looked at. */
const kept: { work: BulkWork | null; isStopped: boolean } = { work: null, isStopped: false };
const listeners = new Set<() => void>();

function set(next: BulkWork | null): void {
  kept.work = next;
  for (const listener of listeners) listener();
}

/** The newest of it; null before any, and once it was put away. */
export function useBulkWork(): BulkWork | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => kept.work,
  );
}

/** Puts away what has ended; what is under way begins with no other run. */
export function endBulkWork(): void {
  if (kept.work?.isUnderWay === true) kept.isStopped = true;
  else set(null);
}

type Asked = Pick<BulkWork, "verb" | "acceptWorkflowChange">;

/** Does it to one run after the other; what is wrong with one keeps nothing from the others. */
export async function workOnRuns(
  client: GatewayClient,
  asked: Asked,
  runIds: readonly string[],
): Promise<void> {
  kept.isStopped = false;
  let now: BulkWork = { ...asked, total: runIds.length, done: 0, refused: [], isUnderWay: true };
  set(now);
  for (const runId of runIds) {
    if (kept.isStopped) break;
    try {
      await actOn(client, asked, runId);
      now = { ...now, done: now.done + 1 };
    } catch (error) {
      now = { ...now, refused: [...now.refused, { runId, reason: explained(error as Error) }] };
    }
    set(now);
  }
  set({ ...now, isUnderWay: false });
}

function actOn(
  client: GatewayClient,
  { verb, acceptWorkflowChange }: Asked,
  runId: string,
): Promise<unknown> {
  if (verb === "Cancel") return client.cancelRun({ runId, reason: "cancelled in the console" });
  if (verb === "Delete") return deleteRun(client, runId);
  return client.resumeRun({ runId, ...(verb === "Retry" && { acceptWorkflowChange }) });
}

async function deleteRun(client: GatewayClient, runId: string): Promise<void> {
  const { kept: [refused] = [] } = await client.pruneRuns({ runIds: [runId] });
  if (refused !== undefined) throw new ClientError(refused);
}
