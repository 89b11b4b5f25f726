import {
  type AttemptJob,
  type EngineServices,
  type EngineWorkflow,
  mountStored,
  type StoredMount,
} from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import type { FleetParts } from "./fleet-parts.js";

/** A frame that no attempt uses is kept for those that follow, milliseconds. */
const KEPT_MS = 5_000;

interface Mount extends StoredMount {
  /** Owner of the run's rows, and how many events they are the result of. */
  readonly epoch: number;
  readonly nextSeq: number;
  users: number;
  isClosed: boolean;
  /** Keeps it after all: its time to be dropped does not come. */
  keep(): void;
}

/** The rows of a run as its owner of then had them. */
export type SeenRun = Pick<AttemptJob, "runId" | "epoch" | "nextSeq">;

export interface MountParts extends FleetParts {
  readonly services: EngineServices;
  readonly workflow: EngineWorkflow;
}

/**
 * Frames of runs, rendered from their rows, which attempts of this worker share: one that has seen everything that the
 * run's owner had committed when it gave an attempt away is as good as a newer one.
 */
export class SharedMounts {
  readonly #newest = new Map<string, Promise<Mount>>();
  #isLeaving = false;

  /** Begins to read what the next `with` of this state of the run needs. What goes wrong here, that one finds, too. */
  prepare(run: SeenRun, parts: MountParts): void {
    this.with(run, parts, async () => {}).catch(() => {});
  }

  /** @throws what loading and rendering throw */
  async with<T>(job: SeenRun, parts: MountParts, work: (mount: StoredMount) => Promise<T>): Promise<T> {
    const mount = await this.#enter(job, parts);
    try {
      return await work(mount);
    } finally {
      mount.users -= 1;
      this.#release(job.runId, mount, parts);
    }
  }

  /** The mount counts its new user before anything else can find it unused. */
  async #enter(job: SeenRun, parts: MountParts): Promise<Mount> {
    for (;;) {
      const known = this.#newest.get(job.runId);
      const mount = await known?.catch(() => undefined);
      if (mount?.isClosed === false && mount.epoch === job.epoch && mount.nextSeq >= job.nextSeq) {
        mount.users += 1;
        mount.keep();
        return mount;
      }
      // Another attempt may have begun to load a newer one meanwhile.
      if (this.#newest.get(job.runId) !== known) continue;
      const loading = load(job, parts);
      this.#newest.set(job.runId, loading);
      if (mount?.users === 0) close(mount);
      return await loading;
    }
  }

  #release(runId: string, mount: Mount, { clock }: MountParts): void {
    if (mount.users > 0) return;
    // One that is entered meanwhile is released once more.
    void this.#isNewest(runId, mount).then((isNewest) => {
      if (mount.users > 0) return;
      if (!isNewest) close(mount);
      else if (this.#isLeaving) void this.#drop(runId, mount);
      else {
        mount.keep();
        mount.keep = clock.setDelay(KEPT_MS, () => void this.#drop(runId, mount));
      }
    });
  }

  /** None is kept any longer than its users need it. */
  leave(): void {
    this.#isLeaving = true;
    for (const [runId, loading] of this.#newest) {
      void loading.then((mount) => this.#drop(runId, mount)).catch(() => {});
    }
  }

  async #drop(runId: string, mount: Mount): Promise<void> {
    const isNewest = await this.#isNewest(runId, mount);
    if (mount.users > 0 || !isNewest) return;
    this.#newest.delete(runId);
    close(mount);
  }

  async #isNewest(runId: string, mount: Mount): Promise<boolean> {
    return (await this.#newest.get(runId)?.catch(() => undefined)) === mount;
  }
}

async function load({ runId }: SeenRun, { store, services, workflow }: MountParts): Promise<Mount> {
  const stored = await store.loadRun(runId);
  if (stored === undefined) throw new ServiceError("RUN_NOT_FOUND", `There is no run ${runId} any more.`);
  const mount = await mountStored(services, workflow, stored);
  const { epoch, nextSeq } = stored.run;
  return { ...mount, epoch, nextSeq, users: 1, isClosed: false, keep() {} };
}

function close(mount: Mount): void {
  if (mount.isClosed) return;
  mount.isClosed = true;
  mount.keep();
  mount.close();
}
