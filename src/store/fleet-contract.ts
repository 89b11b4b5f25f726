/*
 * What driving processes and workers of a database tell each other. Only Postgres has it: a file is not shared by
 * machines. Rows of it live as long as the attempt that they are about, and can be lost with it: a run's own rows are
 * written by its driver's commits alone.
 */

/** An attempt that a worker is to execute. It is written by the commit that starts the attempt. */
export interface Dispatch {
  /** Made by the driving process; the key of its job. */
  readonly id: string;
  /** Of the driving process. */
  readonly driverId: string;
  /** The queues of the database, as `prepare` has answered. */
  readonly queues: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
  /** Of the run's lease: once another process has the run, no worker begins it. */
  readonly epoch: number;
  /** How many events the run has with the commit that starts the attempt. */
  readonly nextSeq: number;
  readonly queue: string;
  /** Workers with this code take it. */
  readonly code: string;
  /** The attempt as JSON text. */
  readonly job: string;
}

/**
 * What a job says of its dispatch: enough to read the run while the dispatch is being claimed. All but the id are
 * missing in jobs of older versions, and in those that were put into their queue again.
 */
export type Announced = Pick<Dispatch, "id"> &
  Partial<Pick<Dispatch, "runId" | "epoch" | "nextSeq" | "code">>;

/** A report of a worker, JSON text. */
export interface DispatchReport {
  readonly dispatchId: string;
  /** 1, 2, 3 … of its dispatch. */
  readonly seq: number;
  readonly body: string;
}

/** Reports of a dispatch that have been read, up to this number: they can go with the commit that keeps them. */
export type TakenReports = Pick<DispatchReport, "dispatchId" | "seq">;

/** What workers have said of an attempt, in order. */
export interface LeftReports {
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly code: string;
  readonly bodies: readonly string[];
}

/** Where a dispatch stands. */
export interface StandingDispatch {
  readonly id: string;
  /** Null: no worker has it. */
  readonly workerId: string | null;
  /** Milliseconds since the last sign of life of its worker, by the database's clock alone. */
  readonly silentMs: number;
  /** No worker has it, and its job is not in the queue: a worker died between the two. */
  readonly isStranded: boolean;
}

/** Requests to the worker of a dispatch. */
export interface DispatchOrders {
  readonly id: string;
  /** Why to abort, JSON text; null = continue. */
  readonly abort: string | null;
  /** A person wants the session of its agent. */
  readonly handOver: boolean;
}

/** A workflow as a worker has loaded it. */
export interface WorkerCode {
  /** The name for people. */
  readonly name: string;
  readonly code: string;
}

/** What a worker says of itself. */
export interface WorkerState {
  /** As the owners of runs are named: whether it lives can be asked on its machine. */
  readonly id: string;
  readonly name: string;
  readonly queues: readonly string[];
  readonly workflows: readonly WorkerCode[];
  /** Attempts that it takes at once. */
  readonly concurrency: number;
  /** It also drives runs of these workflows. */
  readonly isDriving: boolean;
  /** Attempts that it has. */
  readonly running: number;
  /** It finishes what it has and takes nothing more. */
  readonly isDraining: boolean;
}

/** A worker as others see it. */
export interface KnownWorker extends WorkerState {
  /** Milliseconds since its last sign of life, by the database's clock alone. */
  readonly silentMs: number;
}

/** A dispatch that no worker has taken. */
export interface WaitingDispatch {
  readonly nodeId: string;
  readonly iteration: number;
  readonly queue: string;
  readonly code: string;
  /** Milliseconds, by the database's clock alone. */
  readonly waitedMs: number;
}

/** How a worker takes attempts, until `stop`. */
export interface TakeRequest {
  readonly queues: readonly string[];
  readonly codes: readonly string[];
  readonly concurrency: number;
  /** Executes a dispatch; resolves once nothing more is to be done for it, and never rejects. */
  execute(announced: Announced): Promise<void>;
}

/** A worker's place at the queues. */
export interface Taking {
  /** Takes nothing more. Resolves once everything that was taken is done. */
  stop(): Promise<void>;
  /** Resolves with `stop`; rejects where taking has broken off. */
  readonly ended: Promise<void>;
}

export type OwnWrite = "report" | "order";

export interface FleetStore {
  /** Makes the tables where they are missing. @returns the queues of the database @throws DB_DRIVER_MISSING without the package of the queue */
  prepare(): Promise<string>;
  /**
   * Calls back when this handle has kept a report, or an order: what it writes itself is no news to it, and a process
   * may drive a run and have its tasks. @returns how to unsubscribe
   */
  onOwn(what: OwnWrite, listener: () => void): () => void;

  // The driving process
  /** Of this driver's dispatches, in their order; each again until a commit has taken it (`RunCommit.takenReports`). */
  reports(driverId: string): Promise<DispatchReport[]>;
  /** False: a worker has it already. */
  withdraw(dispatchId: string): Promise<boolean>;
  order(orders: DispatchOrders): Promise<void>;
  /** Its dispatches that have not ended. */
  standing(driverId: string): Promise<StandingDispatch[]>;
  /** Puts it into its queue again: the job that was there, or was taken by a worker that died, does not count. */
  queueAgain(dispatchId: string): Promise<void>;
  /** From now on what its worker says is refused. False when another was faster. */
  end(dispatchId: string): Promise<boolean>;
  /** Of the run's open attempts that were dispatched by its owner before. */
  leftReports(runId: string): Promise<LeftReports[]>;
  /** Removes those of this driver whose attempts have ended, with their reports. */
  settle(driverId: string): Promise<void>;
  /** Removes what is left of attempts that have ended, of any process, and of workers that were silent for long. */
  sweep(): Promise<void>;

  // The worker
  beat(worker: WorkerState): Promise<void>;
  leave(workerId: string): Promise<void>;
  take(request: TakeRequest): Promise<Taking>;
  /** The job; undefined: it is no longer to be executed, or another worker has it. */
  claim(dispatchId: string, workerId: string): Promise<string | undefined>;
  /** Whether this worker still has it, and its run the owner of then. */
  isHeld(dispatchId: string, workerId: string): Promise<boolean>;
  /** False: the worker does not have it any more, and nothing was kept. A report that is there already stays. */
  report(workerId: string, reports: readonly DispatchReport[]): Promise<boolean>;
  ordersTo(workerId: string): Promise<DispatchOrders[]>;

  // Readers
  workers(): Promise<KnownWorker[]>;
  waiting(runId: string): Promise<WaitingDispatch[]>;
}
