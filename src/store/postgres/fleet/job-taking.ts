import { EventEmitter } from "node:events";
import type { WorkerEvents, WorkerPool } from "graphile-worker";
import type { Taking } from "../../fleet-contract.js";
import { ownTimeout } from "../../../util/own-timers.js";

/** Places that are lost at about the same time, as with a restart of the server, are replaced together; milliseconds. */
const REPLACE_MS = 1_000;

/** Begins to take jobs at so many places. */
export type TakeAt = (places: number, events: WorkerEvents) => JobPlaces;

interface JobPlaces {
  readonly workers: WorkerPool;
  /** Resolves once they have stopped and their connections are closed. */
  readonly ended: Promise<void>;
}

/**
 * Takes jobs at a number of places until it is stopped. The package gives a place up for good where it could not tell
 * the server that a job has ended: others are opened instead, so that a worker outlives any number of restarts.
 */
export class JobTaking implements Taking {
  readonly #takeAt: TakeAt;
  readonly #open = new Set<JobPlaces>();
  readonly ended: Promise<void>;
  #resolve = () => {};
  #lost = 0;
  #replacing: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(takeAt: TakeAt, places: number) {
    this.#takeAt = takeAt;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#begin(places);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#replacing);
    await Promise.all([...this.#open].map(end));
    this.#resolve();
  }

  #begin(places: number): void {
    const events: WorkerEvents = new EventEmitter();
    const opened = this.#takeAt(places, events);
    opened.ended.catch(() => {});
    this.#open.add(opened);
    let left = places;
    events.on("worker:fatalError", () => {
      left -= 1;
      if (left === 0) void end(opened).then(() => this.#open.delete(opened));
      this.#replace();
    });
  }

  #replace(): void {
    this.#lost += 1;
    if (this.#isStopped) return;
    this.#replacing ??= ownTimeout(() => {
      const lost = this.#lost;
      this.#lost = 0;
      this.#replacing = undefined;
      this.#begin(lost);
    }, REPLACE_MS);
  }
}

async function end({ workers, ended }: JobPlaces): Promise<void> {
  await workers.gracefulShutdown().catch(() => {});
  await ended.catch(() => {});
}
