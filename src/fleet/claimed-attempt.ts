import { type SerializedError, serializeError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import {
  type AttemptHandle,
  type AttemptJob,
  type AttemptLink,
  type AttemptReport,
  keptError,
  type MountedRun,
} from "../engine/index.js";
import type { DispatchOrders } from "../store/index.js";
import { deferred } from "../util/deferred.js";
import { monotonicMs } from "../util/monotonic-ms.js";
import { isAway } from "./fleet-parts.js";
import type { MountParts, SharedMounts } from "./shared-mounts.js";
import { ReportBatch } from "./report-batch.js";

type Outcome = Extract<AttemptReport, { type: "completed" }>["outcome"];

/** The answer to a claim says for so long that the worker has the attempt, milliseconds: much less than a silent one has. */
const CLAIM_SAYS_MS = 500;

export interface ClaimParts extends MountParts {
  readonly workerId: string;
  /** When the claim was sent, as `monotonicMs` counts. */
  readonly claimedAtMs: number;
  readonly mounts: SharedMounts;
}

/** An attempt that this worker has. */
export class ClaimedAttempt implements AttemptLink {
  readonly #dispatchId: string;
  readonly #job: AttemptJob;
  readonly #parts: ClaimParts;
  readonly #reports: ReportBatch;
  readonly #ended = deferred<void>();
  #handle: AttemptHandle | undefined;
  #order: SerializedError | undefined;
  #isCompleted = false;
  #isGivenBack = false;

  constructor(dispatchId: string, job: AttemptJob, parts: ClaimParts) {
    this.#dispatchId = dispatchId;
    // It is executed here: the queue has done its part.
    this.#job = { ...job, queue: null };
    this.#parts = parts;
    this.#reports = new ReportBatch({ ...parts, dispatchId, onRefused: () => this.lose() });
  }

  /** Resolves once its code has ended and its outcome is kept, or refused. Never rejects. */
  async execute(): Promise<void> {
    this.report({ type: "placed", at: { ownerId: this.#parts.workerId } });
    try {
      await this.#mountAndRun();
    } catch (error) {
      if (isAway(error)) this.#lose("its worker could not read the run");
      else this.#complete({ kind: "failed", error: keptError(error, this.#job.config), record: {} });
    }
    await this.#reports.flush();
  }

  /** The run's owner asks for something; as often as it likes. */
  obey({ abort, handOver }: DispatchOrders): void {
    if (abort !== null) this.#abort(JSON.parse(abort) as SerializedError);
    if (handOver) this.#handle?.handOver();
  }

  /** Another process has it by now, or its run has ended. */
  lose(): void {
    this.#abort(stopped("another worker has this attempt by now, or its run has ended"));
  }

  /** It does not count, and starts again elsewhere. */
  giveBack(): void {
    this.#isGivenBack = true;
    this.#abort(stopped("the worker is being stopped"));
  }

  report(report: AttemptReport): void {
    if (report.type === "completed") this.#complete(report.outcome);
    // These are the last words of this process: the database would not hear them in time.
    else if (report.type !== "exiting") this.#reports.add(report);
  }

  /** What the database has of a worker's attempt outlives the worker. */
  whenKept(): Promise<void> {
    return this.#reports.flush();
  }

  /** The process may have been stopped since it was given the attempt, or the frame took its time. */
  async mayBegin(): Promise<boolean> {
    const { fleet, workerId, claimedAtMs } = this.#parts;
    if (monotonicMs() - claimedAtMs < CLAIM_SAYS_MS) return true;
    const isHeld = await fleet.isHeld(this.#dispatchId, workerId).catch(() => false);
    if (!isHeld) this.#lose("it was taken from the worker before it began");
    return isHeld;
  }

  async #mountAndRun(): Promise<void> {
    const { mounts } = this.#parts;
    await mounts.with(this.#job, this.#parts, ({ run }) => this.#run(run));
  }

  #run(mounted: MountedRun): Promise<void> {
    if (this.#order === undefined) {
      this.#handle = this.#parts.services.dispatcher.dispatch(this.#job, this, mounted);
    } else this.#complete(failed(this.#order));
    return this.#ended.promise;
  }

  #abort(order: SerializedError): void {
    if (this.#order !== undefined) return;
    this.#order = order;
    this.#handle?.abort(order);
  }

  /** Before its code has begun: it starts again elsewhere. */
  #lose(reason: string): void {
    this.#complete({ kind: "lost", reason, isSuspect: false, record: {} });
  }

  #complete(outcome: Outcome): void {
    if (this.#isCompleted) return;
    this.#isCompleted = true;
    const isLost = this.#isGivenBack && outcome.kind === "failed";
    const reason = "its worker was stopped";
    this.#reports.add({
      type: "completed",
      outcome: isLost ? { kind: "lost", reason, isSuspect: false, record: outcome.record } : outcome,
    });
    this.#ended.resolve();
  }
}

function stopped(why: string): SerializedError {
  return serializeError(new ServiceError("PROCESS_ABORTED", `The attempt is ended here: ${why}.`));
}

function failed(error: SerializedError): Outcome {
  return { kind: "failed", error, record: {} };
}
