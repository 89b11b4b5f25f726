import { resolve } from "node:path";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import type { TaskRuntime } from "../../model/task.js";
import { MAX_HEARTBEAT_BYTES } from "../../store/limits.js";
import { utf8Length } from "../../util/bounded-text.js";
import type { JsonLoss } from "../../util/json-loss.js";
import { largestMember, tellLargest } from "../../util/largest-member.js";
import { losslessJson, tellLoss } from "../../util/lossless-json.js";
import { fillsCache, readsCache, taskCacheKey, usableRow } from "./cache.js";
import type {
  AttemptHandle,
  AttemptJob,
  AttemptOutcome,
  AttemptRecord,
  AttemptReport,
  RunnerContext,
  RunnerResult,
  RunnerServices,
  TaskDispatcher,
} from "../ports.js";
import { withTaskRuntime } from "./task-runtime.js";
import { storeParsedRow, toStoredRow } from "./task-row.js";
import { runners } from "../tasks/runners.js";

/** An aborted task that has not settled after this long is given up, milliseconds. */
const ABORT_GRACE_MS = 5_000;

/** Runs attempts in this process. */
export class LocalDispatcher implements TaskDispatcher {
  readonly #services: RunnerServices;

  constructor(services: RunnerServices) {
    this.#services = services;
  }

  dispatch(job: AttemptJob, report: AttemptReport): AttemptHandle {
    const attempt = new LocalAttempt(job, report, this.#services);
    attempt.run();
    return attempt;
  }
}

class LocalAttempt implements AttemptHandle {
  readonly #job: AttemptJob;
  readonly #report: AttemptReport;
  readonly #services: RunnerServices;
  readonly #record: AttemptRecord = {};
  #controller: AbortController | null = null;
  #abortReason: Error | null = null;
  #disarm: (() => void) | null = null;
  #settled = false;
  #isHandOverWanted = false;
  #onHandOver: (() => void) | null = null;

  constructor(job: AttemptJob, report: AttemptReport, services: RunnerServices) {
    this.#job = job;
    this.#report = report;
    this.#services = services;
  }

  abort(reason: Error): void {
    if (this.#settled || this.#abortReason !== null) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    const { clock } = this.#services;
    this.#disarm = clock.setDelay(ABORT_GRACE_MS, () => this.#fail(reason));
  }

  handOver(): void {
    this.#isHandOverWanted = true;
    this.#onHandOver?.();
  }

  run(): void {
    const { dependencyError } = this.#job;
    if (dependencyError !== null) return this.#fail(dependencyError);
    const runtime = this.#runtime();
    try {
      if (this.#job.task.worktreeId !== undefined) {
        this.#ensureWorktree(runtime.rootDir)
          .then(() => this.#begin(runtime))
          .catch(this.#onError);
        return;
      }
      this.#begin(runtime);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The task's working copy exists before its first attempt in this process. */
  async #ensureWorktree(path: string): Promise<void> {
    const { task, config } = this.#job;
    const branch = task.worktreeBranch;
    const created = await this.#services.worktrees.ensure(resolve(config.rootDir ?? "."), {
      path,
      baseBranch: task.worktreeBaseBranch ?? "main",
      ...(branch !== undefined && { branch }),
    });
    if (!created) return;
    const { nodeId, iteration, attempt } = this.#job;
    this.#report.event({
      type: "WorktreeCreated",
      nodeId,
      iteration,
      attempt,
      path,
      baseBranch: task.worktreeBaseBranch ?? "main",
      ...(branch !== undefined && { branch }),
    });
  }

  #begin(runtime: TaskRuntime): void {
    try {
      const hit = this.#cached();
      if (hit instanceof Promise) {
        hit
          .then((found) => (found === null ? this.#execute(runtime) : this.#settle(found)))
          .catch(this.#onError);
      } else if (hit !== null) this.#settle(hit);
      else this.#execute(runtime);
    } catch (error) {
      this.#fail(error);
    }
  }

  #execute(runtime: TaskRuntime): void {
    const context: RunnerContext = {
      job: this.#job,
      runtime,
      report: this.#report,
      record: this.#record,
      services: this.#services,
      onHandOver: (listener) => {
        this.#onHandOver = listener;
        if (this.#isHandOverWanted) listener();
      },
    };
    const result = withTaskRuntime(runtime, () =>
      runners[this.#job.task.kind as keyof typeof runners](context),
    );
    if (result instanceof Promise) result.then((value) => this.#finish(value)).catch(this.#onError);
    else this.#finish(result);
  }

  readonly #onError = (error: unknown): void => this.#fail(error);

  #finish(result: RunnerResult): void {
    const { task, runId } = this.#job;
    switch (result.kind) {
      case "no-row":
        return this.#settle({ kind: "finished", cached: false, record: this.#record });
      case "skip":
        return this.#settle({ kind: "skipped", reason: result.reason, record: this.#record });
      case "park":
        return this.#settle({
          kind: "parked",
          status: result.status,
          reason: result.reason,
          record: this.#record,
        });
      case "row":
      case "valid-row": {
        const { store } = this.#services;
        const stored =
          result.kind === "row"
            ? toStoredRow(store, task, { ...result, runId })
            : storeParsedRow(store, task, { value: result.value, runId });
        this.#remember(stored.columns);
        return this.#settle({ kind: "finished", ...stored, cached: false, record: this.#record });
      }
      default:
        result satisfies never;
    }
  }

  #fail(error: unknown): void {
    const quota = (error as { code?: unknown } | null)?.code === "AGENT_QUOTA_EXCEEDED";
    const resetAtMs = quota ? quotaReset(error, this.#services.clock.now()) : undefined;
    this.#settle({
      kind: "failed",
      error: ensureError(error),
      record: this.#record,
      ...(resetAtMs !== undefined && { quotaResetAtMs: resetAtMs }),
    });
  }

  /** Reports the first outcome; anything after it comes from a task that ignored its signal. */
  #settle(outcome: AttemptOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#disarm?.();
    this.#report.settled(outcome);
  }

  #cached(): AttemptOutcome | null | Promise<AttemptOutcome | null> {
    const key = readsCache(this.#job) ? taskCacheKey(this.#job, this.#services.store) : null;
    if (key === null) return null;
    const { store, clock } = this.#services;
    const use = (kept: Awaited<ReturnType<typeof store.getCache>>): AttemptOutcome | null => {
      const row = usableRow(kept, { job: this.#job, store, now: clock.now() });
      if (kept === undefined || row === null) return null;
      return { kind: "finished", columns: kept.columns, row, cached: true, record: this.#record };
    };
    const count = (hit: AttemptOutcome | null): AttemptOutcome | null => {
      (hit === null ? serviceMetrics.cacheMisses : serviceMetrics.cacheHits).add();
      return hit;
    };
    const found = store.getCache(key);
    return found instanceof Promise ? found.then(use).then(count) : count(use(found));
  }

  #remember(columns: unknown[]): void {
    const { store, clock } = this.#services;
    const key = fillsCache(this.#job) ? taskCacheKey(this.#job, store) : null;
    if (key === null) return;
    const { task, workflowName } = this.#job;
    const now = clock.now();
    const ttlMs = task.cachePolicy?.ttlMs;
    this.#record.cacheWrite = {
      cacheKey: key,
      outputKey: task.outputKey,
      signature: store.codec(task.outputKey).signature,
      columns,
      workflowName,
      nodeId: task.nodeId,
      createdAtMs: now,
      expiresAtMs: ttlMs === undefined ? null : now + ttlMs,
    };
  }

  #runtime(): TaskRuntime {
    const job = this.#job;
    const address = { nodeId: job.nodeId, iteration: job.iteration, attempt: job.attempt };
    const signal = () => this.#signal();
    return {
      runId: job.runId,
      ...address,
      idempotencyKey: `${job.runId}:${job.nodeId}:${job.iteration}`,
      // Made on first use: most tasks never look at it.
      get signal() {
        return signal();
      },
      heartbeat: (data) => this.#report.heartbeat(checkpointJson(data, job.nodeId)),
      lastHeartbeat: job.lastHeartbeat,
      rootDir: taskFolder(job),
      log: (message) =>
        this.#report.event({ type: "NodeOutput", ...address, text: `${message}\n`, stream: "stdout" }),
    };
  }

  #signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#abortReason !== null) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }
}

/** The folder a task works in: its worktree, else the run's root. */
function taskFolder({ config, task }: AttemptJob): string {
  return resolve(config.rootDir ?? ".", task.worktreePath ?? ".");
}

function checkpointJson(data: unknown, nodeId: string): string | undefined {
  if (data === undefined) return undefined;
  const kept = losslessJson(data);
  if ("loss" in kept) throw notSerializable(nodeId, kept);
  const { json } = kept;
  const size = utf8Length(json);
  if (size <= MAX_HEARTBEAT_BYTES) return json;
  const largest = largestMember(JSON.parse(json));
  throw new ServiceError(
    "HEARTBEAT_PAYLOAD_TOO_LARGE",
    `Task ${nodeId} gave heartbeat() ${size} bytes of JSON; at most ${MAX_HEARTBEAT_BYTES} are kept.${tellLargest(largest)}`,
    {
      details: { nodeId, path: largest.path, sizeBytes: size, limitBytes: MAX_HEARTBEAT_BYTES },
      retryable: false,
    },
  );
}

function notSerializable(nodeId: string, { loss, cause }: { loss: JsonLoss; cause?: unknown }): ServiceError {
  return new ServiceError(
    "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
    `Task ${nodeId} gave heartbeat() a value that is not JSON.${tellLoss(loss)}`,
    { details: { nodeId, path: loss.path }, retryable: false, ...(cause !== undefined && { cause }) },
  );
}

/** Without a known reset time, quota is asked again after a minute. */
const UNKNOWN_RESET_MS = 60_000;

function quotaReset(error: unknown, now: number): number {
  const resetAtMs = (error as { details?: { resetAtMs?: unknown } }).details?.resetAtMs;
  return typeof resetAtMs === "number" && resetAtMs > now ? resetAtMs : now + UNKNOWN_RESET_MS;
}
