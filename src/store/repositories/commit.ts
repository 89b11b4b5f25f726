import { ServiceError } from "../../errors/service-error.js";
import { isTerminal } from "../../model/run.js";
import type { Lease, NewRun, OutputWrite, RunCommit, RunPatch, RunSeed } from "../contract.js";
import type { Dispatch, TakenReports } from "../fleet-contract.js";
import type { Query, Statement } from "../sql-port.js";
import { writeAnswerSchema } from "./answer-schemas.js";
import { upsertApproval } from "./approvals.js";
import { upsertAttempt } from "./attempts.js";
import { upsertCache } from "./cache.js";
import { upsertControl } from "./controls.js";
import { insertEvent, insertEventOfNewRun } from "./events.js";
import { insertFrame } from "./frames.js";
import type { ReplacedRow } from "../engine-tables/history.js";
import { keepNodes, keepOutput } from "./history.js";
import { consumeIntent, handOverIntents, insertIntent, markSeen, voidRequests } from "./inbox.js";
import { freeSlot } from "./limits.js";
import { writeLoadedFiles } from "./loaded-files.js";
import { memoryStatements } from "./memory-writes.js";
import { upsertNode } from "./nodes.js";
import type { GeneratedTables } from "./generated-tables.js";
import type { OutputTableSql } from "./outputs.js";
import { upsertQuestion } from "./questions.js";
import { ofNewRun } from "./rows.js";
import { insertRun, patchRun, type RunHead } from "./runs.js";
import { endScore, upsertScore } from "./scores.js";
import { upsertToolEffect } from "./tool-effects.js";
import { upsertUsage } from "./usage.js";

/** Facts that the statements of a commit need besides the commit. */
export interface CommitContext {
  runNo: number;
  tables: GeneratedTables;
  /** Of all workflows. */
  stored: GeneratedTables;
  /** The stored rows of `removedOutputs`. */
  removed: readonly ReplacedRow[];
  tablesOf(run: NewRun): GeneratedTables;
  /** Of the dialect. */
  dispatch(dispatch: Dispatch): Statement[];
  /** Of the dialect. */
  takeReports: ((taken: readonly TakenReports[]) => Statement) | undefined;
  /** Explains why the fence held the commit back. */
  onFenced(): Error | Query<Error>;
}

/** The statements of one step, the fence first: nothing of a stale owner is even tried. */
export function commitStatements(commit: RunCommit, context: CommitContext): Statement[] {
  const { lease, nowMs } = commit;
  const { nextRunId, status } = commit.run;
  const { runNo, tables } = context;
  const { runId } = lease;
  const firstSeq = commit.events[0]?.seq;
  const statements = [patchRun({ runNo, lease, firstSeq, patch: withNextSeq(commit) }, context.onFenced)];
  const seq = newestSeq(commit);
  if (seq !== null) {
    statements.push(...keepNodes(runNo, commit, seq));
    for (const row of context.removed) statements.push(keepOutput(runNo, row, seq));
  }
  for (const removed of commit.removedOutputs) {
    for (const table of tables.output(removed.outputKey)) statements.push(table.remove(runId, removed));
  }
  for (const output of commit.outputs) statements.push(writeOutput(tables, runId, output));
  for (const row of commit.restoredOutputs ?? [])
    statements.push(...restoreOutput(context.stored, runId, row));
  for (const node of commit.nodes) statements.push(upsertNode(runNo, node, seq));
  for (const attempt of commit.attempts) statements.push(upsertAttempt(runNo, attempt));
  for (const event of commit.events) statements.push(insertEvent(runNo, event));
  for (const frame of commit.frames) statements.push(insertFrame(runNo, frame, seq));
  for (const control of commit.controls) statements.push(upsertControl(runNo, control, seq ?? 0));
  for (const approval of commit.approvals) statements.push(upsertApproval(runNo, approval));
  for (const id of commit.consumedIntents) statements.push(consumeIntent(runNo, id, nowMs));
  for (const id of commit.seenIntents ?? []) statements.push(markSeen(runNo, id));
  for (const slot of commit.freedSlots ?? []) statements.push(...freeSlot(runNo, slot));
  for (const score of commit.sampledScores ?? []) statements.push(upsertScore(runNo, score));
  for (const end of commit.scoreEnds ?? []) statements.push(endScore(runNo, end));
  for (const effect of commit.toolEffects ?? []) statements.push(upsertToolEffect(runNo, effect));
  for (const question of commit.questions ?? []) statements.push(upsertQuestion(runNo, question));
  for (const usage of commit.usage) statements.push(upsertUsage(runNo, usage));
  for (const row of commit.cache) statements.push(upsertCache(row));
  for (const write of commit.memory ?? []) statements.push(...memoryStatements(write, nowMs));
  for (const run of commit.newRuns) {
    statements.push(...newRunStatements(run, { tables: context.tablesOf(run), stored: context.stored }));
  }
  for (const run of commit.newRuns) statements.push(...adoptChildren(run, runId));
  // After what this step consumes, and once the next run exists.
  if (nextRunId !== undefined) statements.push(handOverIntents(runNo, nextRunId));
  else if (status !== undefined && isTerminal(status)) statements.push(voidRequests(runNo, nowMs));
  for (const answer of commit.answerSchemas ?? []) statements.push(...writeAnswerSchema(runNo, answer));
  if (commit.loaded !== undefined) statements.push(writeLoadedFiles(runNo, commit.loaded));
  for (const request of commit.requests) statements.push(insertIntent(request));
  for (const each of commit.dispatches ?? []) statements.push(...context.dispatch(each));
  if (commit.takenReports !== undefined && context.takeReports !== undefined)
    statements.push(context.takeReports(commit.takenReports));
  return statements;
}

/** Child runs that go along with a run that continues are those of the new one. */
function adoptChildren({ runId, config }: NewRun, formerParent: string): Statement[] {
  return Object.values(config.continuation?.children ?? {}).map((child) => ({
    sql: "UPDATE _service_runs SET parent_run_id = ? WHERE run_id = ? AND parent_run_id = ?",
    params: [runId, child, formerParent],
  }));
}

export interface NewRunContext extends Pick<CommitContext, "tables" | "stored"> {
  /** What writes its input row, where that is not `run.input`. */
  input?: Statement[];
}

export function newRunStatements(run: NewRun, context: NewRunContext): Statement[] {
  const { runId, seed, loaded } = run;
  const { tables, input } = context;
  return [
    ...insertRun(run),
    ...(input ?? tables.inputs.slice(0, 1).map((table) => table.insert(runId, run.input))),
    ...(loaded === undefined ? [] : [ofNewRun(runId, (no) => writeLoadedFiles(no, loaded))]),
    ...(seed === undefined ? [] : seedStatements(runId, seed, context)),
  ];
}

function seedStatements(runId: string, seed: RunSeed, { tables, stored }: NewRunContext): Statement[] {
  return [
    ...seed.nodes.map((node) => ofNewRun(runId, (no) => upsertNode(no, node, null))),
    ...seed.attempts.map((attempt) => ofNewRun(runId, (no) => upsertAttempt(no, attempt))),
    ...seed.controls.map((control) => ofNewRun(runId, (no) => upsertControl(no, control, 0))),
    ...seed.approvals.map((approval) => ofNewRun(runId, (no) => upsertApproval(no, approval))),
    ...seed.outputs.map((output) => writeOutput(tables, runId, output)),
    ...(seed.stored ?? []).flatMap((row) => restoreOutput(stored, runId, row)),
    ...(seed.scores ?? []).map((score) => ofNewRun(runId, (no) => upsertScore(no, score))),
    ...(seed.signals ?? []).map((signal) => insertIntent(signal)),
    ...(seed.events ?? []).map((event) => insertEventOfNewRun(runId, event)),
  ];
}

function writeOutput(tables: GeneratedTables, runId: string, output: OutputWrite): Statement {
  const [table] = tables.output(output.outputKey) as [OutputTableSql];
  return table.upsert(runId, output);
}

function restoreOutput(tables: GeneratedTables, runId: string, row: ReplacedRow): Statement[] {
  const table = tables.outputs.find(({ layout }) => layout.tableName === row.tableName);
  return table === undefined ? [] : [table.restore(runId, row)];
}

/** The log has no gaps, so the next number follows from the events themselves. */
function withNextSeq({ lease, events, run }: RunCommit): RunPatch {
  const first = events[0];
  if (first === undefined) return run;
  const nextSeq = first.seq + events.length;
  const gapless = events.every(({ seq }, index) => seq === first.seq + index);
  if (gapless && run.nextSeq === nextSeq) return run;
  if (gapless && run.nextSeq === undefined) return { ...run, nextSeq };
  throw new ServiceError(
    "INTERNAL_ERROR",
    `A commit of run "${lease.runId}" has events that are not numbered one after the other up to its nextSeq.`,
  );
}

/** Number of the newest event when the commit is written; null where the commit does not know it. */
function newestSeq({ events, run }: RunCommit): number | null {
  const next = run.nextSeq ?? (events.at(-1)?.seq ?? -1) + 1;
  return next === 0 ? null : next - 1;
}

/** The error for a commit that came too late. */
export function leaseLost({ runId, ownerId, epoch }: Lease): ServiceError {
  return new ServiceError(
    "RUN_RESUME_CLAIM_LOST",
    `Run "${runId}" is no longer held by this process; nothing was written.`,
    { details: { runId, ownerId, epoch } },
  );
}

/** Why the fence held a commit back; `head` is the run as the refused transaction saw it. */
export function fenceError({ lease, events }: RunCommit, head: RunHead | undefined): ServiceError {
  if (head === undefined || head.ownerId !== lease.ownerId || head.epoch !== lease.epoch) {
    return leaseLost(lease);
  }
  return new ServiceError(
    "INTERNAL_ERROR",
    `A commit of run "${lease.runId}" continues the event log at ${events[0]?.seq}, but the next number is ${head.nextSeq}.`,
  );
}
