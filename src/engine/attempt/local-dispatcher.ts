import { deserializeError, ensureError, type SerializedError } from "../../errors/ensure-error.js";
import type { TaskRuntime } from "../../model/task.js";
import type {
  AttemptHandle,
  AttemptJob,
  AttemptOutcome,
  AttemptRecord,
  AttemptLink,
  AttemptVoice,
  MountedJob,
  MountedRun,
  RunnerServices,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "../ports.js";
import { askScorer } from "../scores/ask-scorer.js";
import { inTaskSpan } from "../../observability/trace/task-span.js";
import { withProcessTerms } from "../../process/process-terms.js";
import { AttemptLog } from "./attempt-log.js";
import { AttemptProcesses } from "./attempt-processes.js";
import { AttemptRuntime } from "./attempt-runtime.js";
import { checkpointJson } from "./checkpoint.js";
import { FileRecord } from "./file-record.js";
import { mountedJob } from "./mounted-job.js";
import { guardProcess } from "./process-guard.js";
import { type StagedAttempt, type StageResult, STAGES, WITHHELD } from "./stages.js";
import { keptError } from "./without-secrets.js";
import { hearTaskConsole } from "./task-console.js";

/** An aborted task that has not completed after this long is given up, milliseconds. */
const ABORT_GRACE_MS = 5_000;

/** Runs attempts in this process. */
export class LocalDispatcher implements TaskDispatcher {
  readonly #services: RunnerServices;

  constructor(services: RunnerServices) {
    this.#services = services;
  }

  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle {
    guardProcess();
    hearTaskConsole();
    const mounted = mountedJob(job, run.taskAt(job));
    const attempt = new LocalAttempt({ job: mounted, link, run }, this.#services);
    const { store } = this.#services;
    const processes = new AttemptProcesses(job, store.path);
    withProcessTerms(processes, () => inTaskSpan(job, store, () => attempt.run()));
    return attempt;
  }

  score(job: ScoreJob): Promise<ScoreOutcome> {
    return askScorer(this.#services, job);
  }
}

/** Takes one attempt through its stages, and ends it once, whatever comes first. */
class LocalAttempt implements AttemptHandle {
  readonly #job: MountedJob;
  readonly #link: AttemptLink;
  readonly #run: MountedRun;
  readonly #services: RunnerServices;
  readonly #record: AttemptRecord = {};
  #log: AttemptLog | null = null;
  #controller: AbortController | null = null;
  #abortReason: Error | null = null;
  #disarm: (() => void) | null = null;
  #isCompleted = false;
  #isHandOverWanted = false;
  #onHandOver: (() => void) | null = null;

  constructor(
    { job, link, run }: { job: MountedJob; link: AttemptLink; run: MountedRun },
    services: RunnerServices,
  ) {
    this.#job = job;
    this.#link = link;
    this.#run = run;
    this.#services = services;
  }

  abort(order: SerializedError): void {
    if (this.#isCompleted || this.#abortReason !== null) return;
    const reason = deserializeError(order);
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
    const runtime = this.#runtime();
    const about = { job: this.#job, report: this.#voice, services: this.#services, runtime };
    // Written out: stages read its members more often than those of any other object.
    this.#goThrough(0, {
      job: about.job,
      report: about.report,
      services: about.services,
      runtime,
      files: new FileRecord(about),
      mayBegin: () => this.#link.mayBegin(),
      record: this.#record,
      running: {
        runtime,
        uncaught: (error) => this.#uncaught(error),
        exiting: (code) => {
          if (!this.#isCompleted) this.#link.report({ type: "exiting", code });
        },
        said: (stream, text) => {
          if (!this.#isCompleted) this.#said().heard(stream, text);
        },
      },
      onHandOver: (listener) => {
        this.#onHandOver = listener;
        if (this.#isHandOverWanted) listener();
      },
    });
  }

  /** The stages from this one on; the rest in a later turn of the event loop once one has to be waited for. */
  #goThrough(first: number, attempt: StagedAttempt): void {
    try {
      for (let index = first; index < STAGES.length; index += 1) {
        const result = STAGES[index]?.(attempt);
        if (result instanceof Promise) {
          result.then((value) => this.#goOn(index + 1, attempt, value), this.#onError);
          return;
        }
        if (result !== undefined) return this.#complete(result);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #goOn(next: number, attempt: StagedAttempt, result: StageResult): void {
    if (result === undefined) return this.#goThrough(next, attempt);
    try {
      this.#complete(result);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #voice: AttemptVoice = {
    heartbeat: (json) => this.#link.report({ type: "heartbeat", json }),
    event: (body) => this.#link.report({ type: "event", body }),
    effect: (effect) => this.#link.report({ type: "effect", effect }),
    whenKept: () => this.#link.whenKept(),
    asked: (question) => this.#link.report({ type: "asked", question }),
  };

  readonly #onError = (error: unknown): void => this.#fail(error);

  /** Aborts the rest of its code, too. */
  #uncaught(error: unknown): boolean {
    if (this.#isCompleted) return false;
    this.#fail(error);
    const reason = ensureError(error);
    // Also of code that asks for its signal only later.
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
    return true;
  }

  #fail(thrown: unknown): void {
    const error = ensureError(thrown);
    const quota = (error as { code?: unknown }).code === "AGENT_QUOTA_EXCEEDED";
    const resetAtMs = quota ? quotaReset(error, this.#services.clock.now()) : undefined;
    this.#complete({
      kind: "failed",
      error: keptError(error, this.#job.config),
      record: this.#record,
      ...(resetAtMs !== undefined && { quotaResetAtMs: resetAtMs }),
    });
  }

  /** Reports the first outcome; anything after it comes from a task that ignored its signal. */
  #complete(outcome: AttemptOutcome | typeof WITHHELD): void {
    if (this.#isCompleted) return;
    this.#isCompleted = true;
    this.#disarm?.();
    if (outcome !== WITHHELD) this.#link.report({ type: "completed", outcome });
  }

  #runtime(): TaskRuntime {
    const job = this.#job;
    return new AttemptRuntime(job, {
      signal: () => this.#signal(),
      heartbeat: (data) => this.#voice.heartbeat(checkpointJson(data, job.nodeId)),
      log: (message) => this.#said().write(message),
      scores: (nodeId) => this.#run.scores(job, nodeId),
      failure: (nodeId) => this.#run.failure(job, nodeId),
    });
  }

  #said(): AttemptLog {
    this.#log ??= new AttemptLog(this.#job, this.#voice);
    return this.#log;
  }

  #signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#abortReason !== null) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }
}

/** Without a known reset time, quota is asked again after a minute. */
const UNKNOWN_RESET_MS = 60_000;
/** No limit lasts longer: a later reset is a mistake of its sender, in the unit for one. */
const LATEST_RESET_MS = 366 * 86_400_000;

function quotaReset(error: unknown, now: number): number {
  const resetAtMs = (error as { details?: { resetAtMs?: unknown } }).details?.resetAtMs;
  const isKnown = typeof resetAtMs === "number" && resetAtMs > now && resetAtMs <= now + LATEST_RESET_MS;
  return isKnown ? Math.ceil(resetAtMs) : now + UNKNOWN_RESET_MS;
}
