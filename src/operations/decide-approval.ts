import { taskKey } from "../model/address.js";
import { ServiceError } from "../errors/service-error.js";
import { type ApprovalRow, whyNotDecide } from "../model/approval.js";
import type { ApprovalDecision } from "../model/intent.js";
import { isTerminal, type RunRow } from "../model/run.js";
import { MAX_DECISION_BYTES, type Store } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import * as rules from "../options/option-rules.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import type { ActionResult } from "./request/action-result.js";
import { knownSchema, misfits } from "./request/known-schema.js";
import { requireRun } from "./request/require-run.js";
import { lastShown } from "./request/shown-requests.js";
import { runEnded } from "./drive/run-ended.js";
import { sentJson } from "../options/sent-json.js";
import { type OperationTarget, storeOf } from "./request/target.js";
import { instantText } from "../util/instant-text.js";

/** Which waiting node is decided, and the answer. */
export interface DecisionRequest {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default 0 */
  iteration?: number;
  /** The decider's words: part of the row. */
  note?: string;
  /** User id; checked against the approval's `allowedUsers`. */
  decidedBy?: string;
  /** Scopes of the decider; checked against the approval's `allowedScopes`. */
  scopes?: string[];
  /** Mode `select`, when it is approved: the chosen option's key. */
  selected?: string;
  /** Mode `rank`, when it is approved: every option's key once, best first. */
  ranked?: string[];
  /**
   * A human task's answer: the row. Its note, read as JSON, serves too.
   * @default the note, read as JSON
   */
  data?: unknown;
  /**
   * The question that is decided, as `listApprovals` shows it. Another one is refused.
   * @default the question as this process has listed it last; where it has not, the one that the node asks at this moment
   */
  requestHash?: string;
}

export interface DecisionOptions {
  /** Says when the decision was made. @default the database's clock */
  clock?: Clock;
}

/** The decision as it is kept for the run. */
export interface DecisionResult extends ActionResult {
  runId: string;
  nodeId: string;
  iteration: number;
  /** false after `denyNode`. */
  approved: boolean;
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.withDefault(rules.wholeNumber, 0),
  note: rules.text,
  decidedBy: rules.name,
  scopes: rules.texts,
  selected: rules.text,
  ranked: rules.texts,
  data: rules.anything,
  requestHash: rules.name,
} satisfies rules.OptionRules<DecisionRequest>;

const CHECK_RULES = {
  clock: rules.record,
} satisfies rules.OptionRules<DecisionOptions>;

/**
 * Approves a waiting node. The decision is kept and taken up by the
 * process that drives the run next, unless the node asks something else by then: the
 * event DecisionRefused says so, and the node waits on.
 * @throws RUN_NOT_FOUND, RUN_NOT_ACTIVE, NODE_NOT_FOUND, NODE_NOT_WAITING,
 * ALREADY_DECIDED, REQUEST_CHANGED when the node asks something else than `requestHash` says, FORBIDDEN,
 * INVALID_INPUT for a selection or ranking that does not fit the options, is not asked for or comes with a
 * denial, and for a note or data that is too large, not JSON, or does not fit what is asked for
 */
export function approveNode(
  target: OperationTarget,
  request: DecisionRequest,
  options: DecisionOptions = {},
): Promise<DecisionResult> {
  return decide(target, request, { ...options, approved: true });
}

/** Denies a waiting node; what follows is the approval's `onDeny`. @throws as approveNode */
export function denyNode(
  target: OperationTarget,
  request: DecisionRequest,
  options: DecisionOptions = {},
): Promise<DecisionResult> {
  return decide(target, request, { ...options, approved: false });
}

async function decide(
  target: OperationTarget,
  given: DecisionRequest,
  { approved, ...options }: DecisionOptions & { approved: boolean },
): Promise<DecisionResult> {
  const operation = approved ? "approveNode" : "denyNode";
  const request = checkOptions(operation, given, RULES);
  const checked = checkOptions(operation, options, CHECK_RULES);
  const store = await storeOf(target);
  const { clock = store.clock } = checked;
  const { runId, nodeId, iteration } = request;
  const run = await requireRun(store, runId);
  const { row, asked, dueAtMs } = await findApproval(store, run, { runId, nodeId, iteration });
  if (row.decision !== null) throw alreadyDecided(row, row.decision);
  refuseIfTooLate(row, dueAtMs, clock.now());
  await refuseOtherQuestion(store, row, request.requestHash ?? lastShown(store, row));
  checkDecider(row, request);
  refuseOtherAnswers(row, request, approved);
  const decision = toDecision(row, request, approved);
  if (approved && row.request.asksForData === true) await checkAnswer(store, row, decision);
  const id = await store.submitIntent({
    runId,
    intent: {
      kind: "approval",
      nodeId,
      iteration,
      decision,
      requestHash: row.requestHash,
      shown: { ...row.request },
      ...(request.scopes !== undefined && { scopes: request.scopes }),
    },
    createdAtMs: clock.now(),
    dedupeKey: `approval:${taskKey({ nodeId, iteration })}@${row.requestedAtMs}:${row.requestHash}#${asked}`,
  });
  if (id === undefined) {
    const first = await firstDecision(store, row);
    const now = await requireRun(store, runId);
    // It has ended since it was looked at.
    if (first === null && takesNoDecisions(now)) throw await runEnded(store, now, TAKES_NONE);
    throw alreadyDecided(row, first);
  }
  return { runId, nodeId, iteration, approved, seq: null };
}

/** Without a process to end it, the wait is over all the same. */
function refuseIfTooLate(
  { runId, nodeId, iteration }: ApprovalRow,
  dueAtMs: number | null,
  now: number,
): void {
  if (dueAtMs === null || now <= dueAtMs) return;
  throw new ServiceError(
    "NODE_NOT_WAITING",
    `${nodeId} waited for a decision until ${instantText(dueAtMs)}; that time is over.`,
    { details: { runId, nodeId, iteration, dueAtMs } },
  );
}

const TAKES_NONE = "it takes no decisions";

/** A failed run takes them up when it is resumed. */
function takesNoDecisions({ status }: RunRow): boolean {
  return isTerminal(status) && status !== "failed";
}

/** The open request, how many answers to it were taken up and not accepted, and when it ends. */
async function findApproval(
  store: Store,
  run: RunRow,
  at: { runId: string; nodeId: string; iteration: number },
): Promise<{ row: ApprovalRow; asked: number; dueAtMs: number | null }> {
  const row = await store.getApproval(at.runId, at.nodeId, at.iteration);
  if (row !== undefined) {
    if (row.decision === null && takesNoDecisions(run)) throw await runEnded(store, run, TAKES_NONE);
    const node = await store.getNode(at.runId, at.nodeId, at.iteration);
    // An alert's question about the run as a whole belongs to no node.
    const state = node?.state ?? (row.status === "requested" ? "waiting-approval" : row.status);
    if (row.decision !== null || state === "waiting-approval") {
      return { row, asked: node?.lastAttempt ?? 0, dueAtMs: node?.dueAtMs ?? null };
    }
    throw new ServiceError("NODE_NOT_WAITING", `${at.nodeId} is ${state} and waits for no decision.`, {
      details: { ...at, state },
    });
  }
  if ((await store.getNode(at.runId, at.nodeId, at.iteration)) === undefined) {
    const where = at.iteration === 0 ? "" : ` at iteration ${at.iteration}`;
    throw new ServiceError("NODE_NOT_FOUND", `Run ${at.runId} has no node ${at.nodeId}${where}.`, {
      details: at,
    });
  }
  throw new ServiceError("NODE_NOT_WAITING", `${at.nodeId} waits for no decision.`, { details: at });
}

async function firstDecision(store: Store, row: ApprovalRow): Promise<ApprovalDecision | null> {
  const { runId, nodeId, iteration } = row;
  for (const { intent } of await store.pendingIntents(runId)) {
    const isAboutIt =
      intent.kind === "approval" && intent.nodeId === nodeId && intent.iteration === iteration;
    if (isAboutIt) return intent.decision;
  }
  return (await store.getApproval(runId, nodeId, iteration))?.decision ?? null;
}

function alreadyDecided(row: ApprovalRow, first: ApprovalDecision | null): ServiceError {
  const what = first === null ? "decided" : first.approved ? "approved" : "denied";
  const by = first?.decidedBy === undefined ? "" : ` by ${first.decidedBy}`;
  return new ServiceError("ALREADY_DECIDED", `${row.nodeId} was ${what}${by} already.`, {
    details: {
      runId: row.runId,
      nodeId: row.nodeId,
      iteration: row.iteration,
      decision: first,
      decidedAtMs: row.decidedAtMs,
    },
  });
}

/** Questions of a node that are looked through for the one that was shown. */
const MOST_QUESTIONS = 1_000;

async function refuseOtherQuestion(
  store: Store,
  row: ApprovalRow,
  requestHash: string | undefined,
): Promise<void> {
  const { runId, nodeId, iteration, request } = row;
  if (requestHash === undefined || requestHash === row.requestHash) return;
  const shown = await questionOf(store, row, requestHash);
  const was = shown === undefined ? "another question" : `"${shown.title}"`;
  throw new ServiceError(
    "REQUEST_CHANGED",
    `${nodeId} asks "${request.title}" by now; the decision is on ${was}. Nothing was decided.`,
    {
      details: {
        runId,
        nodeId,
        iteration,
        shown: shown ?? null,
        asked: request,
        requestHash: row.requestHash,
      },
    },
  );
}

/** The node's question under this hash, as the log has it. */
async function questionOf(
  store: Store,
  { runId, nodeId, iteration }: ApprovalRow,
  requestHash: string,
): Promise<{ title: string } | undefined> {
  const types = ["ApprovalRequested" as const, "ApprovalRequestChanged" as const];
  const asked = await store.listEvents(runId, { types, nodeId, limit: MOST_QUESTIONS, descending: true });
  for (const { event } of asked) {
    if (event.type !== "ApprovalRequested" && event.type !== "ApprovalRequestChanged") continue;
    if (event.iteration === iteration && event.requestHash === requestHash) return event.request;
  }
  return undefined;
}

function checkDecider(row: ApprovalRow, request: DecisionRequest): void {
  const why = whyNotDecide(row, request);
  if (why === null) return;
  const { runId, nodeId, iteration, allowedUsers, allowedScopes } = row;
  throw new ServiceError("FORBIDDEN", `${nodeId} cannot be decided by this caller: ${why}.`, {
    details: {
      runId,
      nodeId,
      iteration,
      ...(allowedUsers !== null && { allowedUsers }),
      ...(allowedScopes !== null && { allowedScopes }),
    },
  });
}

/** An answer that the request does not ask for would be lost, and the caller believe that it was kept. */
function refuseOtherAnswers(row: ApprovalRow, request: DecisionRequest, approved: boolean): void {
  const { nodeId, mode } = row;
  const asksForData = row.request.asksForData === true;
  const asked = { selected: mode === "select", ranked: mode === "rank", data: asksForData };
  const wanted = approved ? asked : { selected: false, ranked: false, data: asksForData };
  for (const field of ["selected", "ranked", "data"] as const) {
    if (request[field] === undefined || wanted[field]) continue;
    const what = asked[field] ? "is denied" : asksForData ? "asks for a row" : `is a request of mode ${mode}`;
    refuseOption(field, `nothing, because ${nodeId} ${what}`, request[field]);
  }
}

function toDecision(row: ApprovalRow, request: DecisionRequest, approved: boolean): ApprovalDecision {
  const decision: ApprovalDecision = {
    approved,
    ...sentFields(row, request),
  };
  if (!approved) return decision;
  const keys = (row.options ?? []).map((option) => option.key);
  if (row.mode === "select") {
    if (request.selected === undefined || !keys.includes(request.selected)) {
      throw badChoice(row, `selected must be one of ${keys.join(", ")}`, request.selected);
    }
    return { ...decision, selected: request.selected };
  }
  if (row.mode === "rank") {
    const ranked = request.ranked ?? [];
    const isRanking = ranked.length === keys.length && keys.every((key) => ranked.includes(key));
    if (!isRanking) throw badChoice(row, `ranked must list each of ${keys.join(", ")} once`, request.ranked);
    return { ...decision, ranked };
  }
  return decision;
}

function sentFields(row: ApprovalRow, request: DecisionRequest): Omit<ApprovalDecision, "approved"> {
  const fields: Record<string, unknown> = {};
  for (const field of ["note", "decidedBy", "data"] as const) {
    if (request[field] === undefined) continue;
    fields[field] = sentJson(request[field], {
      subject: `The ${field} of the decision on ${row.nodeId}`,
      limitBytes: MAX_DECISION_BYTES,
      details: { runId: row.runId, nodeId: row.nodeId, field },
    });
  }
  return fields;
}

/** An answer that does not fit is refused before it is kept, so that the person can correct it. */
async function checkAnswer(store: Store, row: ApprovalRow, decision: ApprovalDecision): Promise<void> {
  const node = await store.getNode(row.runId, row.nodeId, row.iteration);
  if (node === undefined) return;
  const answer = decision.data ?? parseNote(row, decision.note);
  const schema = await knownSchema(store, { runId: row.runId, node });
  const issues = await misfits(schema, answer, "(answer)");
  if (issues.length === 0) return;
  throw new ServiceError("INVALID_INPUT", `The answer to ${row.nodeId} does not fit: ${issues.join("; ")}.`, {
    details: { runId: row.runId, nodeId: row.nodeId, issues },
  });
}

function parseNote(row: ApprovalRow, note: string | undefined): unknown {
  try {
    return JSON.parse(note ?? "");
  } catch (cause) {
    throw new ServiceError(
      "INVALID_INPUT",
      `The answer to ${row.nodeId} is a row: give it as data, or as JSON in the note.`,
      { cause, details: { runId: row.runId, nodeId: row.nodeId } },
    );
  }
}

function badChoice(row: ApprovalRow, expected: string, received: unknown): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `${row.nodeId}: ${expected}; received ${JSON.stringify(received) ?? "nothing"}.`,
    { details: { runId: row.runId, nodeId: row.nodeId } },
  );
}
