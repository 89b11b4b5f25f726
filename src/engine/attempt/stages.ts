import { serviceMetrics } from "../../metrics/catalog.js";
import type { CacheRow } from "../../store/index.js";
import type { OutputRow } from "../../model/schema.js";
import type { Awaitable } from "../../util/awaitable.js";
import type {
  AttemptLink,
  AttemptOutcome,
  AttemptRecord,
  RunnerContext,
  RunnerResult,
  TaskRunner,
} from "../ports.js";
import { looksIntoMemory, lookIntoMemory } from "../memory/recall.js";
import { memoryWrite } from "../memory/remember.js";
import { runRoot } from "../run-root.js";
import { promptText } from "../tasks/prompt-text.js";
import { runners } from "../tasks/runners.js";
import { type Asked, fillsCache, needsPromptForCache, readsCache, taskCacheKey, usableRow } from "./cache.js";
import { withRow } from "./outcome-row.js";
import { mayChangeFiles } from "./file-record.js";
import { type StoredRow, storeParsedRow, toStoredRow } from "./task-row.js";
import { type RunningAttempt, withAttempt } from "./task-runtime.js";

/** The context that the stages of an attempt share. */
export interface StagedAttempt extends RunnerContext {
  readonly running: RunningAttempt;
  readonly mayBegin: AttemptLink["mayBegin"];
}

/** The attempt's process has lost the run: nothing of it happens, and its end is not reported. */
export const WITHHELD = Symbol("withheld");

export type StageResult = AttemptOutcome | typeof WITHHELD | undefined;

/**
 * The stages of an attempt, in order; the first one that gives an outcome ends it.
 * Answers that are there at once are not waited for: a task without an await is
 * over before its start returns.
 */
export const STAGES: readonly ((attempt: StagedAttempt) => Awaitable<StageResult>)[] = [
  refuseMissingRow,
  prepareWorkingCopy,
  writePrompt,
  askMemory,
  answerFromCache,
  recordFiles,
  confirmLease,
  runTask,
];

function refuseMissingRow({ job }: StagedAttempt): undefined {
  if (job.dependencyError !== null) throw job.dependencyError;
  return undefined;
}

/** The task's working copy exists before its first attempt in this process. */
function prepareWorkingCopy(attempt: StagedAttempt): Awaitable<undefined> {
  return attempt.job.task.worktreeId === undefined ? undefined : ensureWorktree(attempt);
}

async function ensureWorktree({ job, report, services, runtime }: StagedAttempt): Promise<undefined> {
  const { task, config, nodeId, iteration, attempt } = job;
  const branch = task.worktreeBranch;
  const wanted = task.worktreeBaseBranch;
  const request = { path: runtime.rootDir, ...(branch !== undefined && { branch }) };
  const baseBranch = await services.worktrees.ensure(runRoot(config), {
    ...request,
    ...(wanted !== undefined && { baseBranch: wanted }),
    signal: runtime.signal,
  });
  if (baseBranch === undefined) return;
  report.event({ type: "WorktreeCreated", nodeId, iteration, attempt, ...request, baseBranch });
}

/** The cache is asked by the prompt, so a function that makes it runs first: code of the task, with all that this takes. */
function writePrompt(attempt: StagedAttempt): Awaitable<StageResult> {
  const { job } = attempt;
  return needsPromptForCache(job) || looksIntoMemory(job) ? writePromptFirst(attempt) : undefined;
}

async function writePromptFirst(attempt: StagedAttempt): Promise<StageResult> {
  const refusal = await confirmLease(attempt);
  if (refusal !== undefined) return refusal;
  attempt.prompt = await withAttempt(attempt.running, () => promptText(attempt));
  return undefined;
}

/** Before the cache: what is found is part of the question. */
function askMemory(attempt: StagedAttempt): Awaitable<undefined> {
  return looksIntoMemory(attempt.job) ? findInMemory(attempt) : undefined;
}

async function findInMemory(attempt: StagedAttempt): Promise<undefined> {
  attempt.found = await lookIntoMemory(attempt, attempt.prompt ?? "");
}

function answerFromCache(attempt: StagedAttempt): Awaitable<StageResult> {
  const { job, services, record } = attempt;
  const { store, clock } = services;
  const key = readsCache(job) ? taskCacheKey(job, store, askedOf(attempt)) : null;
  if (key === null) return undefined;
  const take = (kept: CacheRow | undefined, row: OutputRow | null): StageResult => {
    const isHit = kept !== undefined && row !== null;
    (isHit ? serviceMetrics.cacheHits : serviceMetrics.cacheMisses).add();
    if (!isHit) return undefined;
    noteCacheKey(record, key);
    leaveInMemory(attempt, row);
    return withRow({ kind: "finished", columns: kept.columns, cached: true, record }, row);
  };
  const use = (kept: CacheRow | undefined): Awaitable<StageResult> => {
    const row = usableRow(kept, { job, store, now: clock.now() });
    return row instanceof Promise ? row.then((usable) => take(kept, usable)) : take(kept, row);
  };
  const found = store.getCache(key);
  return found instanceof Promise ? found.then(use) : use(found);
}

/** Of other tasks it shows once they call a tool that may change something. */
function recordFiles({ job, files }: StagedAttempt): Awaitable<undefined> {
  return mayChangeFiles(job.task) ? files.before()?.then(() => undefined) : undefined;
}

/** The last moment: the process may have been stopped, or blocked, since the start was committed. */
function confirmLease({ mayBegin }: StagedAttempt): Awaitable<StageResult> {
  const answer = (isHeld: boolean): StageResult => (isHeld ? undefined : WITHHELD);
  const isHeld = mayBegin();
  return isHeld instanceof Promise ? isHeld.then(answer) : answer(isHeld);
}

function runTask(attempt: StagedAttempt): Awaitable<AttemptOutcome> {
  const { job, running, files } = attempt;
  const ended = (value: RunnerResult) => {
    const recorded = files.after();
    return recorded === undefined ? conclude(attempt, value) : recorded.then(() => conclude(attempt, value));
  };
  const failed = (error: unknown) => {
    const recorded = files.after();
    if (recorded === undefined) throw error;
    return recorded.then((): never => {
      throw error;
    });
  };
  let result: ReturnType<TaskRunner>;
  try {
    result = withAttempt(running, () => runners[job.task.kind as keyof typeof runners](attempt));
  } catch (error) {
    return failed(error);
  }
  return result instanceof Promise ? result.then(ended, failed) : ended(result);
}

function conclude(attempt: StagedAttempt, result: RunnerResult): Awaitable<AttemptOutcome> {
  const { job, services, record } = attempt;
  const { task, runId } = job;
  switch (result.kind) {
    case "no-row":
      return { kind: "finished", cached: false, record };
    case "skip":
      return { kind: "skipped", reason: result.reason, record };
    case "pass-on":
      return { kind: "passed-on", to: result.to, record };
    case "park":
      return { kind: "suspended", status: result.status, reason: result.reason, record };
    case "row":
    case "valid-row": {
      const { store } = services;
      const stored =
        result.kind === "row"
          ? toStoredRow(store, task, { value: result.value, runId, isFinal: result.isFinal })
          : storeParsedRow(store, task, { value: result.value, runId });
      return stored instanceof Promise
        ? stored.then((row) => finishedWith(attempt, row))
        : finishedWith(attempt, stored);
    }
    default:
      return result satisfies never;
  }
}

function finishedWith(attempt: StagedAttempt, { columns, row }: StoredRow): AttemptOutcome {
  const { record } = attempt;
  const cacheWrite = cacheRow(attempt, columns);
  if (cacheWrite !== undefined) record.cacheWrite = cacheWrite;
  leaveInMemory(attempt, row);
  return withRow({ kind: "finished", columns, cached: false, record }, row);
}

function leaveInMemory({ job, record, prompt = "", answer }: StagedAttempt, row: OutputRow): void {
  const write = memoryWrite(job, row, { prompt, answer });
  if (write !== undefined) record.memory = write;
}

/** People compare the keys of attempts to see why one was answered from the cache and another was not. */
function noteCacheKey(record: AttemptRecord, cacheKey: string): void {
  record.meta = { ...record.meta, cacheKey };
}

function askedOf({ prompt, found }: StagedAttempt): Asked {
  return { prompt, found: found?.fingerprint };
}

function cacheRow(attempt: StagedAttempt, columns: unknown[]): AttemptRecord["cacheWrite"] {
  const { job, services } = attempt;
  const { store, clock } = services;
  const cacheKey = fillsCache(job) ? taskCacheKey(job, store, askedOf(attempt)) : null;
  if (cacheKey === null) return undefined;
  noteCacheKey(attempt.record, cacheKey);
  const { task, workflowName } = job;
  const now = clock.now();
  const ttlMs = task.cachePolicy?.ttlMs;
  return {
    cacheKey,
    outputKey: task.outputKey,
    signature: store.codec(task.outputKey).signature,
    columns,
    workflowName,
    nodeId: task.nodeId,
    createdAtMs: now,
    expiresAtMs: ttlMs === undefined ? null : now + ttlMs,
  };
}
