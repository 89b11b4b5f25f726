import { HEARTBEAT_MS } from "../../engine/index.js";
import { taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import { ServiceDb, type Store } from "../../store/index.js";
import { truncateUtf8 } from "../../util/bounded-text.js";
import { runEnded } from "../drive/run-ended.js";
import { getNode } from "../read/read-run.js";
import { runStateOf } from "../read/run-state.js";
import { shownState } from "../read/shown-states.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { requireRun } from "./require-run.js";
import { type OperationTarget, storeOf } from "./target.js";

/** Requests of one run that are looked through. */
const MOST_REQUESTS = 1_000;

/** Bytes of a title in a message. */
const LONGEST_TITLE = 200;

export interface RequestAddress {
  runId: string;
  /** @default the only node that waits for a decision */
  nodeId?: string;
  /** @default the only one that waits */
  iteration?: number;
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.name,
  iteration: rules.wholeNumber,
} satisfies rules.OptionRules<RequestAddress>;

/**
 * The request that a decision is about: the one at the address, or the only one
 * that waits.
 * @throws RUN_NOT_FOUND; INVALID_INPUT with `details.candidates` when several wait; NODE_NOT_FOUND,
 * NODE_NOT_WAITING when none does, ALREADY_DECIDED, RUN_NOT_ACTIVE when another run continues this one
 */
export async function findRequest(target: OperationTarget, address: RequestAddress): Promise<ApprovalRow> {
  const asked = checkOptions("findRequest", address, RULES);
  const store = await storeOf(target);
  const { runId, nodeId, iteration } = asked;
  const run = await requireRun(store, runId);
  const all = await store.listApprovals({
    runId,
    status: "requested",
    ...(nodeId !== undefined && { nodeId }),
    limit: MOST_REQUESTS,
  });
  const atAddress = all.filter((row) => iteration === undefined || row.iteration === iteration);
  const answered = await answeredNodes(store, runId);
  const open = atAddress.filter((row) => !answered.has(taskKey(row)));
  // A second decision is refused by the operation, which knows the first one.
  const fitting = open.length > 0 ? open : atAddress;
  const [request, ...others] = fitting;
  if (request === undefined) throw await nothingWaits(store, run, asked);
  if (others.length === 0) return request;
  const candidates = fitting.map((row) => ({
    nodeId: row.nodeId,
    iteration: row.iteration,
    title: row.request.title,
  }));
  const listed = candidates.map(
    (row) =>
      `${row.nodeId}${row.iteration > 0 ? ` at iteration ${row.iteration}` : ""} (${truncateUtf8(row.title, LONGEST_TITLE).text})`,
  );
  throw new ServiceError(
    "INVALID_INPUT",
    `Run ${run.runId} waits for ${fitting.length} decisions; name one: ${listed.join(", ")}.`,
    { details: { runId: run.runId, candidates } },
  );
}

/** Decided already, and not yet taken up by a process. */
async function answeredNodes(store: Store, runId: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const { intent } of await store.pendingIntents(runId)) {
    if (intent.kind === "approval") keys.add(taskKey(intent));
  }
  return keys;
}

async function nothingWaits(store: Store, run: RunRow, address: RequestAddress): Promise<Error> {
  const { runId, status } = run;
  const { nodeId, iteration } = address;
  if (status === "continued") return runEnded(store, run, "it takes no decisions");
  if (nodeId === undefined) {
    const { runState } = runStateOf(run, store.clock.now(), HEARTBEAT_MS);
    return new ServiceError(
      "NODE_NOT_WAITING",
      `Run ${runId} is ${shownState({ status, runState })} and waits for no decision.`,
      { details: { runId, status, runState } },
    );
  }
  // Throws NODE_NOT_FOUND for a node that is not there at all.
  const { node } = await getNode(new ServiceDb(store), {
    runId,
    nodeId,
    ...(iteration !== undefined && { iteration }),
  });
  const decided = await store.getApproval(runId, nodeId, node.iteration);
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
