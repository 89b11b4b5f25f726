import type { Lease, Store } from "../../store/index.js";
import type { RunRow } from "../../model/run.js";

type CompanyStore = Pick<Store, "noteCompany">;

/** Runs that this process drives, of all databases. */
const atWork = new Set<RunAtWork>();

export function areRunsAtWork(): boolean {
  return atWork.size > 0;
}

/**
 * A run while this process drives it. When a process dies, its runs are asked which of them was alone: only that one
 * can have ended it. So each row says, from before the run's first attempt, whether others are at work beside it.
 *
 * Invariant: before a run begins, the rows of all others say that they are in company. They say so until they are
 * released: only a drive that was alone from its beginning to the death counts.
 */
export class RunAtWork {
  /** The run, and those that continue it. */
  readonly #runIds: Set<string>;
  /** One for a run, its child runs, and theirs: they die of each other. */
  readonly #family: object;
  #held: { store: CompanyStore; lease: Lease } | null = null;
  #inCompany: boolean;

  private constructor(runId: string, family: object) {
    this.#runIds = new Set([runId]);
    this.#family = family;
    this.#inCompany = [...atWork].some((other) => other.#family !== family);
  }

  /** The run is driven from now on; resolves once the rows of the others say so. */
  static async enter({ runId, parentRunId }: Pick<RunRow, "runId" | "parentRunId">): Promise<RunAtWork> {
    const parent = [...atWork].find((other) => parentRunId !== null && other.#runIds.has(parentRunId));
    const entered = new RunAtWork(runId, parent === undefined ? {} : parent.#family);
    const others = [...atWork].filter((other) => other.#family !== entered.#family && !other.#inCompany);
    atWork.add(entered);
    await Promise.all(others.map((other) => other.#join()));
    return entered;
  }

  get inCompany(): boolean {
    return this.#inCompany;
  }

  /**
   * The run, or the one that continues it, has an owner here.
   * @param isNoted whether its row says already that it is in company
   */
  async hold(store: CompanyStore, lease: Lease, isNoted: boolean): Promise<void> {
    this.#runIds.add(lease.runId);
    this.#held = { store, lease };
    if (this.#inCompany && !isNoted) await this.#note();
  }

  leave(): void {
    atWork.delete(this);
  }

  async #join(): Promise<void> {
    this.#inCompany = true;
    await this.#note();
  }

  async #note(): Promise<void> {
    try {
      if (this.#held !== null) await this.#held.store.noteCompany(this.#held.lease);
    } catch {
      // Its own next write fails for the same reason; at worst one death counts that should not.
    }
  }
}
