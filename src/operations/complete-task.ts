import { isReopened, planAround } from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { type TaskPlace, taskKey } from "../model/address.js";
import { type HandAction, whyNotByHand } from "../model/by-hand.js";
import { childRunId } from "../model/child-run-id.js";
import type { IntentOf } from "../model/intent.js";
import type { NodeRow } from "../model/node.js";
import { isTerminal, type RunRow } from "../model/run.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { sentJson } from "../options/sent-json.js";
import { MAX_DECISION_BYTES, newestOfChain, type Store } from "../store/index.js";
import { runEnded } from "./drive/run-ended.js";
import { elementOf } from "./read/inspect-task.js";
import { newestFrame } from "./read/nodes-in-order.js";
import type { ActionResult } from "./request/action-result.js";
import { knownSchema, misfits } from "./request/known-schema.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** Which task gets its row by hand, and the row. */
export interface CompleteTaskRequest {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default 0 */
  iteration?: number;
  /** The row, as the task would return it: JSON that fits its schema. */
  output: Record<string, unknown>;
  /** Who has done the work; kept in the event `NodeCompletedByHand`. */
  completedBy?: string;
  /** Why; kept in the event `NodeCompletedByHand`. */
  note?: string;
  /** Only check it. @default false */
  dryRun?: boolean;
}

/** Which task is left out by hand. */
export interface SkipTaskRequest {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default 0 */
  iteration?: number;
  /** Who leaves it out; kept in the event `NodeSkipped`. */
  skippedBy?: string;
  /** Why; kept in the event `NodeSkipped`. */
  note?: string;
  /** Only check it. @default false */
  dryRun?: boolean;
}

/** What was done for a task in its place, as it is kept for the run. */
export interface InterventionResult extends ActionResult {
  runId: string;
  nodeId: string;
  iteration: number;
  /** `complete`: the task gets the row; `skip`: it is left out. */
  action: HandAction;
  /** The run has failed: a resume continues it with this. */
  needsResume: boolean;
}

const OF_BOTH = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.withDefault(rules.wholeNumber, 0),
  note: rules.text,
  dryRun: rules.withDefault(rules.flag, false),
};
const COMPLETE_RULES = {
  ...OF_BOTH,
  output: rules.required(rules.record),
  completedBy: rules.name,
} satisfies rules.OptionRules<CompleteTaskRequest>;
const SKIP_RULES = { ...OF_BOTH, skippedBy: rules.name } satisfies rules.OptionRules<SkipTaskRequest>;

/**
 * Gives a task its row in the place of an attempt: one that has not begun, waits, or has failed and with it the
 * run. The row is kept for the process that drives the run now or next, which
 * continues with what depends on it; a failed run continues with a resume.
 * @throws RUN_NOT_FOUND, NODE_NOT_FOUND; RUN_NOT_ACTIVE the run has ended otherwise than by a failure; NODE_IN_PROGRESS,
 * NODE_ENDED, ALREADY_DECIDED another person was faster; INVALID_INPUT for a row that does not fit, is no JSON or too
 * large, and for a task that cannot be completed by hand: one that needs a decision, a part of a sandbox, one without
 * a row, a subflow whose child run is under way
 */
export async function completeTask(
  target: OperationTarget,
  request: CompleteTaskRequest,
): Promise<InterventionResult> {
  const { completedBy: by, output, ...asked } = checkOptions("completeTask", request, COMPLETE_RULES);
  return intervene(target, { ...asked, action: "complete", by, output });
}

/**
 * Leaves a task out, in the states in which `completeTask` takes its row. As with `skipIf`, what depends on it continues
 * without its row; the child run of a subflow that waits is cancelled.
 * @throws as completeTask, but for what is about the row
 */
export async function skipTask(
  target: OperationTarget,
  request: SkipTaskRequest,
): Promise<InterventionResult> {
  const { skippedBy: by, ...asked } = checkOptions("skipTask", request, SKIP_RULES);
  return intervene(target, { ...asked, action: "skip", by });
}

interface Asked extends TaskPlace {
  runId: string;
  action: HandAction;
  by?: string | undefined;
  note?: string | undefined;
  output?: unknown;
  dryRun: boolean;
}

async function intervene(target: OperationTarget, asked: Asked): Promise<InterventionResult> {
  const { runId, nodeId, iteration, action, dryRun } = asked;
  const store = await storeOf(target);
  const run = await requireRun(store, runId);
  if (takesNone(run)) throw await runEnded(store, run, "nothing of it is done by hand");
  const node = await findTask(store, run, asked);
  const intent = await toIntent(store, node, asked);
  const first = await pendingIntervention(store, asked);
  if (first !== undefined) throw alreadyDone(asked, first);
  const result = { runId, nodeId, iteration, action, needsResume: run.status === "failed", seq: null };
  if (dryRun) return result;
  const refusedSeq = await lastRefusal(store, asked);
  const id = await store.submitIntent({
    runId,
    intent,
    createdAtMs: engineServices(store).clock.now(),
    dedupeKey: `by-hand:${taskKey(asked)}@${node.updatedAtMs}:${refusedSeq}`,
  });
  if (id !== undefined) return result;
  const now = await requireRun(store, runId);
  if (takesNone(now)) throw await runEnded(store, now, "nothing of it is done by hand");
  throw alreadyDone(asked, await pendingIntervention(store, asked));
}

/** A failed run is continued with it. */
function takesNone({ status }: RunRow): boolean {
  return isTerminal(status) && status !== "failed";
}

/** The task, if a person can do it as it stands. */
async function findTask(store: Store, run: RunRow, asked: Asked): Promise<NodeRow> {
  const { runId, nodeId, iteration, action } = asked;
  const details = { runId, nodeId, iteration };
  const node = await store.getNode(runId, nodeId, iteration);
  if (node === undefined) {
    const where = iteration === 0 ? "" : ` at iteration ${iteration}`;
    throw new ServiceError("NODE_NOT_FOUND", `Run ${runId} has no node ${nodeId}${where}.`, { details });
  }
  const isFailed = run.status === "failed" && node.state === "failed";
  const refusal = whyNotByHand(action, {
    ...node,
    // A resume lets it run again.
    state: isFailed ? "pending" : node.state,
    isAtWork: node.state === "in-progress",
    awaitsDecision: await awaitsDecision(store, run, node),
  });
  if (refusal !== null) {
    throw new ServiceError(refusal.code, refusal.message, { details: { ...details, state: node.state } });
  }
  if (isFailed) await refuseUnlessReopened(store, asked);
  if (action === "complete" && node.kind === "subflow") await refuseLivingChild(store, run, node);
  return node;
}

async function awaitsDecision(store: Store, run: RunRow, node: NodeRow): Promise<boolean> {
  const { nodeId, iteration, kind } = node;
  if (kind === "approval" || kind === "human") return true;
  const request = await store.getApproval(run.runId, nodeId, iteration);
  if (request?.decision?.approved === true) return false;
  if (request !== undefined) return true;
  const { xml } = await newestFrame(store, run.runId);
  return elementOf(xml, nodeId)?.props["needsApproval"] === "true";
}

/** A block that has dealt with a failure, or has undone something because of it, stays as it is. */
async function refuseUnlessReopened(store: Store, { runId, nodeId, iteration }: Asked): Promise<void> {
  const { tasks } = await newestFrame(store, runId);
  const isMounted = tasks.some((task) => task.nodeId === nodeId && task.iteration === iteration);
  const runSnapshot = isMounted ? await store.loadRun(runId, { asStored: true }) : undefined;
  if (runSnapshot !== undefined) {
    const tree = await planAround(store, runSnapshot, { nodeId, iteration });
    if (isReopened(runSnapshot, tree, taskKey({ nodeId, iteration }))) return;
  }
  const why = isMounted
    ? "a block around it has dealt with its failure, or undone what came before it"
    : "it has left the tree";
  throw new ServiceError("NODE_ENDED", `${nodeId} has failed and does not run again with a resume: ${why}.`, {
    details: { runId, nodeId, iteration, state: "failed" },
  });
}

async function refuseLivingChild(store: Store, run: RunRow, node: NodeRow): Promise<void> {
  const child = await newestOfChain(store, childRunId(run, node));
  if (child === undefined || isTerminal(child.status)) return;
  const { nodeId, iteration } = node;
  throw new ServiceError(
    "INVALID_INPUT",
    `${nodeId} cannot be completed by hand: its child run ${child.runId} is ${child.status}; cancel that run first, or skip the task, which cancels it.`,
    { details: { runId: run.runId, nodeId, iteration, childRunId: child.runId } },
  );
}

async function toIntent(
  store: Store,
  node: NodeRow,
  { runId, nodeId, iteration, action, by, note, output }: Asked,
): Promise<IntentOf<HandAction>> {
  const sent = (value: unknown, field: string) =>
    sentJson(value, {
      subject: `The ${field} for ${nodeId}`,
      limitBytes: MAX_DECISION_BYTES,
      details: { runId, nodeId, field },
    });
  const about = {
    nodeId,
    iteration,
    ...(by !== undefined && { by: sent(by, "name") as string }),
    ...(note !== undefined && { note: sent(note, "note") as string }),
  };
  if (action === "skip") return { kind: "skip", ...about };
  const row = sent(output, "output");
  const issues = await misfits(await knownSchema(store, { runId, node }), row, "(row)");
  if (issues.length === 0) return { kind: "complete", ...about, output: row };
  throw new ServiceError("INVALID_INPUT", `The row for ${nodeId} does not fit: ${issues.join("; ")}.`, {
    details: { runId, nodeId, issues },
  });
}

async function pendingIntervention(store: Store, asked: Asked): Promise<IntentOf<HandAction> | undefined> {
  const key = taskKey(asked);
  for (const { intent } of await store.pendingIntents(asked.runId)) {
    const isOne = intent.kind === "complete" || intent.kind === "skip";
    if (isOne && taskKey(intent) === key) return intent;
  }
  return undefined;
}

/** One that was refused when it was taken up may be followed by a better one. */
async function lastRefusal(store: Store, { runId, nodeId, iteration }: Asked): Promise<number> {
  const refusals = await store.listEvents(runId, {
    types: ["InterventionRefused"],
    nodeId,
    descending: true,
    limit: MOST_REFUSALS,
  });
  const own = refusals.find(
    ({ event }) => event.type === "InterventionRefused" && event.iteration === iteration,
  );
  return own?.seq ?? -1;
}

/** Of a task in a loop the newest of all its iterations are looked through. */
const MOST_REFUSALS = 1_000;

function alreadyDone(
  { runId, nodeId, iteration }: Asked,
  first: IntentOf<HandAction> | undefined,
): ServiceError {
  const what = first?.kind === "skip" ? "skipped" : "completed";
  const by = first?.by === undefined ? "" : ` by ${first.by}`;
  return new ServiceError("ALREADY_DECIDED", `${nodeId} was ${what} by hand${by} already.`, {
    details: { runId, nodeId, iteration, decision: first ?? null },
  });
}
