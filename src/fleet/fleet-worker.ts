import { setTimeout as pause } from "node:timers/promises";
import type { AttemptJob, EngineServices, EngineWorkflow } from "../engine/index.js";
import { newOwnerId } from "../process/owner.js";
import { type Announced, onOutsideChange, type Taking, type WorkerState } from "../store/index.js";
import { monotonicMs } from "../util/monotonic-ms.js";
import { ClaimedAttempt } from "./claimed-attempt.js";
import { BEAT_MS, type FleetParts, LOOK_MS } from "./fleet-parts.js";
import { SharedMounts } from "./shared-mounts.js";
import { coalesced } from "./coalesced.js";

/** Before the queues are asked again, where asking has broken off; milliseconds. */
const AGAIN_MS = 1_000;
/** Every so many signs of life what other processes have left behind is removed. */
const BEATS_PER_SWEEP = 2;

export interface FleetWorkerOptions extends FleetParts {
  readonly services: EngineServices;
  /** By the names of their code. */
  readonly workflows: ReadonlyMap<string, { readonly name: string; readonly workflow: EngineWorkflow }>;
  readonly name: string;
  readonly queues: readonly string[];
  readonly concurrency: number;
  /** Its process also drives runs of these workflows. */
  readonly drive: boolean;
  /** No more is taken; what was taken is finished. */
  readonly signal: AbortSignal;
  /** What was taken is given back as well. */
  readonly giveBack: AbortSignal;
  /** Lists show it, and drivers count on it. */
  onReady(): void;
  onNews(news: WorkerNews): void;
}

/** What a worker does with an attempt. */
export type WorkerNews = { type: "began" | "ended" } & Pick<
  AttemptJob,
  "runId" | "nodeId" | "iteration" | "attempt"
>;

/**
 * Executes attempts of runs that other processes drive.
 *
 * W1  An attempt is executed by the worker that has claimed it, which one does.
 * W2  The worker knows of the last half second that it has it when its code begins, and its reports count only while it does.
 * W3  It writes no row of a run.
 */
export class FleetWorker {
  readonly #options: FleetWorkerOptions;
  readonly #id = newOwnerId();
  /** By their dispatches; null while they are being claimed. */
  readonly #attempts = new Map<string, ClaimedAttempt | null>();
  /** Claims whose answer was lost. */
  readonly #doubtful = new Set<string>();
  readonly #mounts = new SharedMounts();
  #beats = 0;
  readonly #obey = coalesced(() => this.#readOrders());

  constructor(options: FleetWorkerOptions) {
    this.#options = options;
  }

  /** Until the signal fires and everything that was taken is done. @throws DB_DRIVER_MISSING, what the database throws at first */
  async run(): Promise<void> {
    const { store, fleet, clock, giveBack, signal, onReady } = this.#options;
    await fleet.prepare();
    await fleet.beat(this.#state());
    onReady();
    const look = () => {
      if (this.#isConcerned) void this.#obey();
    };
    const news = { clock, everyMs: LOOK_MS, quietMs: LOOK_MS };
    const unsubscribes = [onOutsideChange(store, news, look), fleet.onOwn("order", look)];
    const beating = setInterval(() => void this.#beat(), BEAT_MS);
    const onGiveBack = () => {
      for (const attempt of this.#attempts.values()) attempt?.giveBack();
    };
    giveBack.addEventListener("abort", onGiveBack, { once: true });
    const onDrain = () => void this.#beat();
    signal.addEventListener("abort", onDrain, { once: true });
    try {
      while (!signal.aborted) await this.#take();
    } finally {
      giveBack.removeEventListener("abort", onGiveBack);
      signal.removeEventListener("abort", onDrain);
      clearInterval(beating);
      for (const unsubscribe of unsubscribes) unsubscribe();
      this.#mounts.leave();
      await fleet.leave(this.#id).catch(() => {});
    }
  }

  /** Until the signal fires, or the queues cannot be asked any more. */
  async #take(): Promise<void> {
    const { fleet, queues, workflows, concurrency, signal } = this.#options;
    let taking: Taking;
    try {
      const execute = (announced: Announced) => this.#execute(announced);
      taking = await fleet.take({ queues, codes: [...workflows.keys()], concurrency, execute });
    } catch {
      await pause(AGAIN_MS, undefined, { signal }).catch(() => {});
      return;
    }
    const stop = () => void taking.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await taking.ended.catch(() => {});
    signal.removeEventListener("abort", stop);
    if (signal.aborted) return;
    await pause(AGAIN_MS, undefined, { signal }).catch(() => {});
  }

  async #execute(announced: Announced): Promise<void> {
    const { workflows, giveBack, onNews } = this.#options;
    if (giveBack.aborted) return;
    const { id: dispatchId } = announced;
    this.#readAhead(announced);
    this.#attempts.set(dispatchId, null);
    try {
      const claimedAtMs = monotonicMs();
      const text = await this.#claim(dispatchId);
      if (text === undefined) return;
      const job = JSON.parse(text) as AttemptJob;
      const workflow = workflows.get(job.code)?.workflow;
      if (workflow === undefined) return;
      const attempt = new ClaimedAttempt(dispatchId, job, {
        ...this.#options,
        ...{ workflow, claimedAtMs, workerId: this.#id, mounts: this.#mounts },
      });
      this.#attempts.set(dispatchId, attempt);
      if (giveBack.aborted) attempt.giveBack();
      onNews({ type: "began", ...placeOf(job) });
      await attempt.execute();
      onNews({ type: "ended", ...placeOf(job) });
    } finally {
      this.#attempts.delete(dispatchId);
    }
  }

  /** Reading a run takes as long as claiming its attempt does. */
  #readAhead({ runId, epoch, nextSeq, code = "" }: Announced): void {
    const workflow = this.#options.workflows.get(code)?.workflow;
    if (workflow === undefined || runId === undefined || epoch === undefined || nextSeq === undefined) return;
    this.#mounts.prepare({ runId, epoch, nextSeq }, { ...this.#options, workflow });
  }

  async #claim(dispatchId: string): Promise<string | undefined> {
    try {
      return await this.#options.fleet.claim(dispatchId, this.#id);
    } catch {
      // The database is away. Whether the claim was kept, the next look at the orders shows.
      this.#doubtful.add(dispatchId);
      return undefined;
    }
  }

  async #beat(): Promise<void> {
    const { fleet } = this.#options;
    try {
      await fleet.beat(this.#state());
      if (this.#isConcerned) await this.#obey();
      this.#beats += 1;
      if (this.#beats % BEATS_PER_SWEEP === 0) await fleet.sweep();
    } catch {
      // The database is away; the next sign of life may reach it.
    }
  }

  get #isConcerned(): boolean {
    return this.#attempts.size > 0 || this.#doubtful.size > 0;
  }

  async #readOrders(): Promise<void> {
    const { fleet } = this.#options;
    try {
      const known = [...this.#attempts];
      const orders = new Map((await fleet.ordersTo(this.#id)).map((each) => [each.id, each]));
      for (const [id, attempt] of known) {
        const order = orders.get(id);
        if (order === undefined) attempt?.lose();
        else attempt?.obey(order);
      }
      for (const id of [...this.#doubtful]) {
        if (orders.has(id)) await this.#return(id);
        this.#doubtful.delete(id);
      }
    } catch {
      // The database is away.
    }
  }

  /** Another worker gets the attempt. */
  async #return(dispatchId: string): Promise<void> {
    const outcome = { kind: "lost", reason: "its worker could not begin it", isSuspect: false, record: {} };
    const body = JSON.stringify({ type: "completed", outcome });
    await this.#options.fleet.report(this.#id, [{ dispatchId, seq: 1, body }]);
  }

  #state(): WorkerState {
    const { name, queues, workflows, concurrency, drive, signal } = this.#options;
    return {
      id: this.#id,
      name,
      queues,
      workflows: [...workflows].map(([code, { name: workflow }]) => ({ name: workflow, code })),
      concurrency,
      isDriving: drive,
      running: this.#attempts.size,
      isDraining: signal.aborted,
    };
  }
}

function placeOf({ runId, nodeId, iteration, attempt }: AttemptJob): Omit<WorkerNews, "type"> {
  return { runId, nodeId, iteration, attempt };
}
