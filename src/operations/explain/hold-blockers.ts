import type { NodeRow } from "../../model/node.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import type { ResumeRemedy } from "../remedies/resume.js";
import { approvalBlocker } from "./approval-blocker.js";
import type { Blocker } from "./blocker.js";
import { refusedDecisions } from "./refused-decisions.js";

/** Holds that keep the run as a whole from starting anything new: a pause, the request of an alert. */
export async function holdBlockers(
  store: Store,
  run: RunRow,
  { nodes, resume }: { nodes: readonly NodeRow[]; resume: ResumeRemedy },
): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  if (run.paused !== null) {
    blockers.push({
      kind: "paused",
      sinceMs: run.paused.sinceMs,
      summary: `The run is paused: ${run.paused.reason}.`,
      remedy: resume,
    });
  }
  const ids = new Set(nodes.map(({ nodeId }) => nodeId));
  const requests = await store.listApprovals({ runId: run.runId, status: "requested", limit: 1_000 });
  const ofTheRun = requests.filter(({ nodeId }) => !ids.has(nodeId));
  if (ofTheRun.length === 0) return blockers;
  const [intents, refusalsOf] = await Promise.all([
    store.pendingIntents(run.runId),
    refusedDecisions(store, run.runId),
  ]);
  for (const request of ofTheRun) {
    const { nodeId, iteration, requestedAtMs: sinceMs } = request;
    const { title } = request.request;
    const who = "The run";
    const awaited = { run, nodeId, iteration, sinceMs, who, title, request, resume };
    blockers.push(approvalBlocker(awaited, { intents, refusalsOf }));
  }
  return blockers;
}
