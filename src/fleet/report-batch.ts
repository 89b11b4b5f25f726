import { setTimeout as pause } from "node:timers/promises";
import type { AttemptReport } from "../engine/index.js";
import type { DispatchReport } from "../store/index.js";
import type { FleetParts } from "./fleet-parts.js";
import { coalesced } from "./coalesced.js";

/** What an attempt says waits this long for company, milliseconds; its end does not wait. */
const BATCH_MS = 50;
/** While the database is away, milliseconds. */
const AGAIN_MS = 500;

interface BatchOptions extends Pick<FleetParts, "fleet" | "clock"> {
  readonly dispatchId: string;
  readonly workerId: string;
  /** Called once: what this worker says of the attempt is not wanted any more. */
  onRefused(): void;
}

/** Takes the reports of an attempt to the database, in their order, several at a time. */
export class ReportBatch {
  readonly #options: BatchOptions;
  #unsent: DispatchReport[] = [];
  #seq = 0;
  #isRefused = false;
  #disarm: (() => void) | undefined;
  /** Sends what there is. Resolves once it is kept, or refused. */
  readonly flush = coalesced(() => this.#sendUnsent());

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  add(report: AttemptReport): void {
    if (this.#isRefused) return;
    this.#seq += 1;
    const { dispatchId, clock } = this.#options;
    this.#unsent.push({ dispatchId, seq: this.#seq, body: JSON.stringify(report) });
    if (report.type === "completed") void this.flush();
    else this.#disarm ??= clock.setDelay(BATCH_MS, () => void this.flush());
  }

  async #sendUnsent(): Promise<void> {
    this.#disarm?.();
    this.#disarm = undefined;
    const { fleet, workerId, onRefused } = this.#options;
    while (this.#unsent.length > 0 && !this.#isRefused) {
      const batch = [...this.#unsent];
      try {
        if (!(await fleet.report(workerId, batch))) {
          this.#isRefused = true;
          return onRefused();
        }
        this.#unsent = this.#unsent.slice(batch.length);
      } catch {
        // The database is away. Where that takes too long, another worker has got the attempt by then.
        await pause(AGAIN_MS);
      }
    }
  }
}
