import type {
  DispatchOrders,
  DispatchReport,
  FleetStore,
  KnownWorker,
  LeftReports,
  OwnWrite,
  StandingDispatch,
  TakeRequest,
  Taking,
  WaitingDispatch,
  WorkerState,
} from "../../fleet-contract.js";
import { write } from "../../logic/work.js";
import type { SqlRow, SqlValue, Statement } from "../../sql-port.js";
import type { PostgresConnection } from "../connection.js";
import type { ResolvedPostgresOptions } from "../options.js";
import { addJob } from "./dispatch-statements.js";
import { JobQueue } from "./job-queue.js";
import { fleetTables } from "./tables.js";

/** Workers that were silent for this long have left without a word. */
const FORGET_WORKERS = "interval '10 minutes'";

/** From taking a job to claiming its dispatch a worker needs much less. */
const STRANDED_AFTER = "interval '8 seconds'";

/** The job of a dispatch that is there. */
const KEPT_JOB = { identifier: "identifier", payload: "json_build_object('id', id)", id: "id" };

/** The attempt that a dispatch `d` is about has not ended: what its worker says may still count. */
const IS_UNDER_WAY = `EXISTS (SELECT 1 FROM _service_attempts a WHERE a.run_no = d.run_no
  AND a.node_id = d.node_id AND a.iteration = d.iteration AND a.attempt = d.attempt AND a.finished_at_ms IS NULL)`;

/** It has not ended, and belongs to the run's present owner: a worker may begin it. */
const IS_OPEN = `(${IS_UNDER_WAY} AND EXISTS (SELECT 1 FROM _service_runs r
  WHERE r.run_no = d.run_no AND r.epoch = d.epoch AND r.owner_id IS NOT NULL))`;

/** The messages of a fleet, in tables beside the engine's. Who has been silent for how long is by the server's clock alone. */
export class PostgresFleet implements FleetStore {
  readonly #connection: PostgresConnection;
  readonly #queue: JobQueue;
  readonly #own = { report: new Set<() => void>(), order: new Set<() => void>() };
  #prepared: Promise<void> | undefined;

  constructor(connection: PostgresConnection, options: ResolvedPostgresOptions) {
    this.#connection = connection;
    this.#queue = new JobQueue(options, async () => {
      const [row] = await this.#all("SELECT current_schema()::text");
      return row?.[0] as string;
    });
  }

  async prepare(): Promise<string> {
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
    return this.#queue.schema();
  }

  onOwn(what: OwnWrite, listener: () => void): () => void {
    this.#own[what].add(listener);
    return () => this.#own[what].delete(listener);
  }

  async reports(driverId: string): Promise<DispatchReport[]> {
    const rows = await this.#all(
      `SELECT r.dispatch_id, r.seq, r.body FROM _service_dispatch_reports r
        JOIN _service_dispatches d ON d.id = r.dispatch_id WHERE d.driver_id = ? ORDER BY r.dispatch_id, r.seq`,
      [driverId],
    );
    return rows.map(([dispatchId, seq, body]) => ({ dispatchId, seq, body }) as DispatchReport);
  }

  async withdraw(dispatchId: string): Promise<boolean> {
    return this.#touched("DELETE FROM _service_dispatches WHERE id = ? AND worker_id IS NULL", [dispatchId]);
  }

  async order({ id, abort, handOver }: DispatchOrders): Promise<void> {
    await this.#write([
      {
        sql: "UPDATE _service_dispatches SET abort = coalesce(?, abort), hand_over = greatest(hand_over, ?) WHERE id = ?",
        params: [abort, handOver ? 1 : 0, id],
      },
    ]);
    this.#tell("order");
  }

  async standing(driverId: string): Promise<StandingDispatch[]> {
    const jobs = await this.#queue.schema();
    const rows = await this.#all(
      `SELECT d.id, d.worker_id, ${silentMs("w.heartbeat_at")}, d.worker_id IS NULL AND (j.id IS NULL
          OR j.locked_at < clock_timestamp() - ${STRANDED_AFTER} OR (j.attempts >= j.max_attempts AND j.locked_at IS NULL))
        FROM _service_dispatches d
        LEFT JOIN _service_workers w ON w.id = d.worker_id
        LEFT JOIN ${jobs}.jobs j ON j.id = d.job_id
        WHERE d.driver_id = ?`,
      [driverId],
    );
    return rows.map(([id, workerId, silent, isStranded]) => {
      const silentMs = silent ?? Number.POSITIVE_INFINITY;
      return { id, workerId, silentMs, isStranded: isStranded === 1 } as StandingDispatch;
    });
  }

  async queueAgain(dispatchId: string): Promise<void> {
    const jobs = await this.#queue.schema();
    await this.#write([
      {
        sql: `UPDATE _service_dispatches SET job_id = ${addJob(jobs, KEPT_JOB)} WHERE id = ? AND worker_id IS NULL`,
        params: [dispatchId],
      },
    ]);
  }

  async leftReports(runId: string): Promise<LeftReports[]> {
    if (!(await this.#hasTables())) return [];
    const rows = await this.#all(
      `SELECT d.node_id, d.iteration, d.attempt, d.code, json_agg(p.body ORDER BY p.seq)::text
        FROM _service_dispatches d JOIN _service_runs r ON r.run_no = d.run_no
          JOIN _service_dispatch_reports p ON p.dispatch_id = d.id
        WHERE r.run_id = ? AND d.epoch < r.epoch AND ${IS_UNDER_WAY}
        GROUP BY d.id`,
      [runId],
    );
    return rows.map(([nodeId, iteration, attempt, code, bodies]) => {
      return { nodeId, iteration, attempt, code, bodies: JSON.parse(bodies as string) } as LeftReports;
    });
  }

  async settle(driverId: string): Promise<void> {
    await this.#write([
      {
        sql: `DELETE FROM _service_dispatches d WHERE d.driver_id = ? AND NOT ${IS_UNDER_WAY}`,
        params: [driverId],
      },
    ]);
  }

  end(dispatchId: string): Promise<boolean> {
    return this.#touched("DELETE FROM _service_dispatches WHERE id = ?", [dispatchId]);
  }

  async sweep(): Promise<void> {
    await this.#write([
      { sql: `DELETE FROM _service_dispatches d WHERE NOT ${IS_UNDER_WAY}`, params: [] },
      {
        sql: `DELETE FROM _service_workers WHERE heartbeat_at < clock_timestamp() - ${FORGET_WORKERS}`,
        params: [],
      },
      ...(await this.#queue.removal()),
    ]);
  }

  async beat(worker: WorkerState): Promise<void> {
    const { id, ...state } = worker;
    await this.#write([
      {
        sql: `INSERT INTO _service_workers (id, state, heartbeat_at) VALUES (?, ?, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET state = excluded.state, heartbeat_at = excluded.heartbeat_at`,
        params: [id, JSON.stringify(state)],
      },
    ]);
  }

  async leave(workerId: string): Promise<void> {
    await this.#write([{ sql: "DELETE FROM _service_workers WHERE id = ?", params: [workerId] }]);
  }

  take(request: TakeRequest): Promise<Taking> {
    return this.#queue.take(request);
  }

  async claim(dispatchId: string, workerId: string): Promise<string | undefined> {
    const [row] = await this.#all(
      `UPDATE _service_dispatches d SET worker_id = ?
        WHERE d.id = ? AND (d.worker_id IS NULL OR d.worker_id = ?) AND d.abort IS NULL AND ${IS_OPEN}
        RETURNING d.job`,
      [workerId, dispatchId, workerId],
    );
    return row?.[0] as string | undefined;
  }

  async isHeld(dispatchId: string, workerId: string): Promise<boolean> {
    const rows = await this.#all(
      `SELECT 1 FROM _service_dispatches d WHERE d.id = ? AND d.worker_id = ? AND d.abort IS NULL AND ${IS_OPEN}`,
      [dispatchId, workerId],
    );
    return rows.length > 0;
  }

  async report(workerId: string, reports: readonly DispatchReport[]): Promise<boolean> {
    const [first] = reports;
    if (first === undefined) return true;
    const kept = await this.#touched(
      `INSERT INTO _service_dispatch_reports (dispatch_id, seq, body)
        SELECT d.id, x.seq, x.body
        FROM json_to_recordset(?::json) AS x ("dispatchId" text, seq bigint, body text)
        JOIN _service_dispatches d ON d.id = x."dispatchId" AND d.worker_id = ?
        ON CONFLICT DO NOTHING`,
      [JSON.stringify(reports), workerId],
    );
    if (kept) {
      this.#tell("report");
      return true;
    }
    // Perhaps they were kept before, and the answer was lost.
    const rows = await this.#all("SELECT 1 FROM _service_dispatches WHERE id = ? AND worker_id = ?", [
      first.dispatchId,
      workerId,
    ]);
    return rows.length > 0;
  }

  async ordersTo(workerId: string): Promise<DispatchOrders[]> {
    const rows = await this.#all("SELECT id, abort, hand_over FROM _service_dispatches WHERE worker_id = ?", [
      workerId,
    ]);
    return rows.map(([id, abort, handOver]) => ({ id, abort, handOver: handOver === 1 }) as DispatchOrders);
  }

  async workers(): Promise<KnownWorker[]> {
    if (!(await this.#hasTables())) return [];
    const rows = await this.#all(
      `SELECT id, state, ${silentMs("heartbeat_at")} FROM _service_workers ORDER BY id`,
    );
    return rows.map(([id, state, silent]) => {
      return { ...JSON.parse(state as string), id, silentMs: silent } as KnownWorker;
    });
  }

  async waiting(runId: string): Promise<WaitingDispatch[]> {
    if (!(await this.#hasTables())) return [];
    const rows = await this.#all(
      `SELECT d.node_id, d.iteration, d.queue, d.code, ${silentMs("d.dispatched_at")}
        FROM _service_dispatches d JOIN _service_runs r ON r.run_no = d.run_no
        WHERE r.run_id = ? AND d.worker_id IS NULL AND ${IS_OPEN} ORDER BY d.dispatched_at`,
      [runId],
    );
    return rows.map(([nodeId, iteration, queue, code, waitedMs]) => {
      return { nodeId, iteration, queue, code, waitedMs } as WaitingDispatch;
    });
  }

  #tell(what: OwnWrite): void {
    for (const listener of this.#own[what]) listener();
  }

  /** A database in which no task was ever sent to a worker has no such tables, and need not get them. */
  async #hasTables(): Promise<boolean> {
    const [row] = await this.#all(
      "SELECT to_regclass(quote_ident(current_schema()) || '._service_dispatches') IS NOT NULL",
    );
    return row?.[0] === 1;
  }

  async #prepare(): Promise<void> {
    await this.#connection.migrate(() => write(fleetTables));
    await this.#connection.byOthers(() => this.#queue.prepare());
  }

  #all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.#connection.read({ sql, params, read: (rows) => rows });
  }

  async #touched(sql: string, params: readonly SqlValue[]): Promise<boolean> {
    return (await this.#all(`${sql} RETURNING 1`, params)).length > 0;
  }

  #write(statements: readonly Statement[]): Promise<void> {
    return this.#connection.run(write(statements));
  }
}

/** Milliseconds since a time of the server, by its clock. */
function silentMs(column: string): string {
  return `(extract(epoch FROM clock_timestamp() - ${column}) * 1000)::float8`;
}
