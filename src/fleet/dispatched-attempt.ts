import type { SerializedError } from "../errors/ensure-error.js";
import type { AttemptHandle, AttemptJob, AttemptLink, AttemptReport } from "../engine/index.js";
import type { Dispatch, DispatchReport } from "../store/index.js";
import type { FleetParts } from "./fleet-parts.js";

/** A worker gives an aborted task five seconds, and needs some to say so. */
const ABORT_GRACE_MS = 8_000;

/** The job of a task that names a queue. */
export type QueuedJob = AttemptJob & { readonly queue: string };

/** An attempt of this process that a worker is to execute, or does. Ends once, whatever comes first. */
export class DispatchedAttempt implements AttemptHandle {
  readonly #dispatch: Dispatch;
  readonly #link: AttemptLink;
  readonly #parts: FleetParts;
  readonly #onEnd: () => void;
  /** The last report that has been passed on. */
  #seq = 0;
  #isOver = false;
  #isCalledOff = false;
  #disarm: (() => void) | undefined;

  constructor(
    { dispatch, link }: { dispatch: Dispatch; link: AttemptLink },
    parts: FleetParts,
    onEnd: () => void,
  ) {
    this.#dispatch = dispatch;
    this.#link = link;
    this.#parts = parts;
    this.#onEnd = onEnd;
    link.report({ type: "placed", at: { queue: dispatch.queue } });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  receive({ seq, body }: DispatchReport): void {
    if (this.#isOver || seq <= this.#seq) return;
    this.#seq = seq;
    this.#pass(JSON.parse(body) as AttemptReport);
  }

  /** Its worker is gone. */
  lose(reason: string, isSuspect: boolean): void {
    this.#complete({ kind: "lost", reason, isSuspect, record: {} });
  }

  abort(reason: SerializedError): void {
    if (this.#isOver || this.#isCalledOff) return;
    this.#isCalledOff = true;
    this.#disarm = this.#parts.clock.setDelay(ABORT_GRACE_MS, () => this.#giveUp(reason));
    void this.#callOff(reason);
  }

  handOver(): void {
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
