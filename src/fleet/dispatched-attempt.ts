import type { SerializedError } from "../errors/ensure-error.js";
import type { AttemptHandle, AttemptJob, AttemptLink, AttemptReport } from "../engine/index.js";
import type { Dispatch, DispatchReport } from "../store/index.js";
import type { FleetParts } from "./fleet-parts.js";
import { COMMON_QUEUE } from "./serving-workers.js";

/** A worker gives an aborted task five seconds, and needs some to say so. */
const ABORT_GRACE_MS = 8_000;

/** The job of a task that names a queue. */
export type QueuedJob = AttemptJob & { readonly queue: string };

/** An attempt of this process that a worker is to execute, or does. Ends once, whatever comes first. */
export class DispatchedAttempt implements AttemptHandle {
  readonly #dispatch: Dispatch;
  readonly #link: AttemptLink;
  readonly #parts: FleetParts;
  readonly #here: () => AttemptHandle;
  readonly #onEnd: () => void;
  /** Since it was taken back. */
  #inPlace: AttemptHandle | undefined;
  /** The last report that has been passed on. */
  #seq = 0;
  #isOver = false;
  #order: SerializedError | undefined;
  #disarm: (() => void) | undefined;

  constructor(
    about: { dispatch: Dispatch; link: AttemptLink; here(): AttemptHandle; onEnd(): void },
    parts: FleetParts,
  ) {
    const { dispatch, link } = about;
    this.#dispatch = dispatch;
    this.#link = link;
    this.#here = about.here;
    this.#onEnd = about.onEnd;
    this.#parts = parts;
    link.report({ type: "placed", at: { queue: dispatch.queue } });
  }

  get queue(): string {
    return this.#dispatch.queue;
  }

  get code(): string {
    return this.#dispatch.code;
  }

  /** This process may execute it as well, as long as no worker has it. */
  get isCommon(): boolean {
    return this.queue === COMMON_QUEUE && this.#order === undefined;
  }

  /** No worker can have it any more: it is executed here. */
  takeBack(): void {
    if (this.#isOver) return;
    if (this.#order !== undefined) return this.#fail(this.#order);
    this.#isOver = true;
    this.#onEnd();
    this.#inPlace = this.#here();
  }

  /** Of this dispatch, in order; some of them again. The commit that keeps the outcome ends the rest with it. */
  receive(reports: readonly DispatchReport[]): void {
    const unread = reports.filter(({ seq }) => seq > this.#seq);
    for (const { seq, body } of unread) {
      if (this.#isOver) return;
      this.#seq = seq;
      this.#pass(JSON.parse(body) as AttemptReport);
    }
    if (unread.length === 0 || this.#isOver) return;
    this.#pass({ type: "taken", taken: { dispatchId: this.#dispatch.id, seq: this.#seq } });
  }

  /** Its worker is gone. */
  lose(reason: string, isSuspect: boolean): void {
    this.#complete({ kind: "lost", reason, isSuspect, record: {} });
  }

  abort(reason: SerializedError): void {
    if (this.#inPlace !== undefined) return this.#inPlace.abort(reason);
    if (this.#isOver || this.#order !== undefined) return;
    this.#order = reason;
    this.#disarm = this.#parts.clock.setDelay(ABORT_GRACE_MS, () => this.#giveUp(reason));
    void this.#callOff(reason);
  }

  handOver(): void {
    if (this.#inPlace !== undefined) return this.#inPlace.handOver();
    const { id } = this.#dispatch;
    this.#parts.fleet.order({ id, abort: null, handOver: true }).catch(() => {});
  }

  async #callOff(reason: SerializedError): Promise<void> {
    const { fleet } = this.#parts;
    const { id } = this.#dispatch;
    try {
      if (await fleet.withdraw(id)) this.#fail(reason);
      else await fleet.order({ id, abort: JSON.stringify(reason), handOver: false });
    } catch {
      // The database is away: it is given up after the grace period.
    }
  }

  #giveUp(reason: SerializedError): void {
    this.#parts.fleet.end(this.#dispatch.id).catch(() => {});
    this.#fail(reason);
  }

  #fail(error: SerializedError): void {
    this.#complete({ kind: "failed", error, record: {} });
  }

  #complete(outcome: Extract<AttemptReport, { type: "completed" }>["outcome"]): void {
    if (!this.#isOver) this.#pass({ type: "completed", outcome });
  }

  #pass(report: AttemptReport): void {
    if (report.type === "completed") {
      this.#isOver = true;
      this.#disarm?.();
      this.#onEnd();
    }
    this.#link.report(report);
  }
}
