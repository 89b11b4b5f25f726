import type { ApprovalRow } from "../model/approval.js";
import type { NodeRow } from "../model/node.js";
import type { RunRow } from "../model/run.js";
import type { Intent, Store } from "../store/contract.js";
import type { Blocker } from "./blocker.js";

/** What keeps the run as a whole from starting anything new: a pause, the request of an alert. */
export async function holdBlockers(store: Store, run: RunRow, nodes: readonly NodeRow[]): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  if (run.paused !== null) {
    blockers.push({
      kind: "paused",
      sinceMs: run.paused.sinceMs,
      summary: `The run is paused: ${run.paused.reason}.`,
      fix: `treadle up --resume ${run.runId}`,
    });
  }
  const ids = new Set(nodes.map(({ nodeId }) => nodeId));
  const requests = await store.listApprovals({ runId: run.runId, status: "requested", limit: 1_000 });
  const ofTheRun = requests.filter(({ nodeId }) => !ids.has(nodeId));
  if (ofTheRun.length === 0) return blockers;
  const intents = await store.pendingIntents(run.runId);
  return [...blockers, ...ofTheRun.map((request) => requestBlocker(run, request, intents))];
}

function requestBlocker(run: RunRow, request: ApprovalRow, intents: readonly Intent[]): Blocker {
  const { nodeId, iteration, requestedAtMs: sinceMs } = request;
  const { title } = request.request;
  const at = { nodeId, iteration, sinceMs };
  const isDecided = intents.some(
    ({ kind, payload }) => kind === "approval" && (payload as { nodeId?: unknown }).nodeId === nodeId,
  );
  if (isDecided) {
    return {
      ...at,
      kind: "decision-pending",
      summary: `${nodeId} was decided; a process has to take the decision up.`,
      fix: `treadle up --resume ${run.runId}`,
    };
  }
  const address = iteration === 0 ? nodeId : `${nodeId} --iteration ${iteration}`;
  return {
    ...at,
    kind: "approval",
    title,
    summary: `The run waits for a decision: ${title}.`,
    fix: `treadle approve ${run.runId} ${address}`,
  };
}
