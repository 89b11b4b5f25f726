import { taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import { getNode } from "../../operations/read/read-run.js";
import { runEnded } from "../../operations/drive/run-ended.js";
import type { ServiceDb } from "../../store/service-db.js";
import { shellWord } from "../../util/shell-word.js";
import { oneLine } from "../output/table.js";

/** Requests of one run that are looked through. */
const MOST_REQUESTS = 1_000;

export interface RequestAddress {
  nodeId?: string;
  iteration?: number;
}

/**
 * The request that a decision is about: the one at the address, or the only one
 * that waits.
 * @throws CLI_USAGE with the candidates when several wait; NODE_NOT_FOUND,
 * NODE_NOT_WAITING when none does, RUN_NOT_ACTIVE when another run continues this one
 */
export async function findRequest(db: ServiceDb, run: RunRow, address: RequestAddress): Promise<ApprovalRow> {
  const { nodeId, iteration } = address;
  const all = await db.store.listApprovals({ runId: run.runId, status: "requested", limit: MOST_REQUESTS });
  const atAddress = all.filter(
    (row) =>
      (nodeId === undefined || row.nodeId === nodeId) &&
      (iteration === undefined || row.iteration === iteration),
  );
  const answered = await answeredNodes(db, run.runId);
  const open = atAddress.filter((row) => !answered.has(taskKey(row)));
  // A second decision is refused by the operation, which knows the first one.
  const fitting = open.length > 0 ? open : atAddress;
  const [request, ...others] = fitting;
  if (request === undefined) throw await nothingWaits(db, run, address);
  if (others.length === 0) return request;
  const candidates = fitting.map((row) => ({
    nodeId: row.nodeId,
    iteration: row.iteration,
    title: row.request.title,
  }));
  const listed = candidates.map(
    (row) =>
      `${shellWord(row.nodeId)}${row.iteration > 0 ? ` --iteration ${row.iteration}` : ""} (${oneLine(row.title, 100)})`,
  );
  throw new ServiceError(
    "CLI_USAGE",
    `Run ${run.runId} waits for ${fitting.length} decisions; name one: ${listed.join(", ")}.`,
    { details: { runId: run.runId, candidates } },
  );
}

/** Decided already, and not yet taken up by a process. */
async function answeredNodes({ store }: ServiceDb, runId: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const { intent } of await store.pendingIntents(runId)) {
    if (intent.kind === "approval") keys.add(taskKey(intent));
  }
  return keys;
}

async function nothingWaits(db: ServiceDb, run: RunRow, address: RequestAddress): Promise<Error> {
  const { runId, status } = run;
  const { nodeId, iteration } = address;
  if (status === "continued") return runEnded(db.store, run, "it takes no decisions");
  if (nodeId === undefined) {
    return new ServiceError("NODE_NOT_WAITING", `Run ${runId} is ${status} and waits for no decision.`, {
      details: { runId, status },
    });
  }
  // Throws NODE_NOT_FOUND for a node that is not there at all.
  const { node } = await getNode(db, { runId, nodeId, ...(iteration !== undefined && { iteration }) });
  const decided = await db.store.getApproval(runId, nodeId, node.iteration);
  if (decided?.decision == null) {
    return new ServiceError("NODE_NOT_WAITING", `${nodeId} is ${node.state} and waits for no decision.`, {
      details: { runId, nodeId, iteration: node.iteration, state: node.state },
    });
  }
  const { decision, decidedAtMs } = decided;
  const by = decision.decidedBy === undefined ? "" : ` by ${decision.decidedBy}`;
  return new ServiceError("ALREADY_DECIDED", `${nodeId} was ${decided.status}${by} already.`, {
    details: { runId, nodeId, iteration: node.iteration, decision, decidedAtMs },
  });
}
