import { createRequire } from "node:module";
import type { Pool } from "pg";
import type { Announced, TakeRequest, Taking } from "../../fleet-contract.js";
import type { Statement } from "../../sql-port.js";
import { loadDriver } from "../load-driver.js";
import type { ResolvedPostgresOptions } from "../options.js";
import { identifierOf } from "./identifier.js";
import { JobTaking } from "./job-taking.js";
import { openPlainPool } from "../plain-pool.js";

const require = createRequire(import.meta.url);

/** A job whose dispatch is gone is left to the worker that has it for this long: it may have died with it. */
const LEFT_AFTER = "interval '10 seconds'";
/** How often to look for jobs of which no announcement has come, milliseconds. */
const POLL_MS = 1_000;
/** Connections for taking jobs; another one listens. */
const MOST_CONNECTIONS = 4;
/**
 * Of two processes that make the schema at once, the package lets one fail (23505). A lock of the session, because the package's
 * migrations have transactions of their own.
 */
const TAKE_TURN = "SELECT pg_advisory_lock(7310598, hashtext($1))";
const END_TURN = "SELECT pg_advisory_unlock(7310598, hashtext($1))";
/**
 * That a worker has taken a job need not reach the disk: it executes what it has claimed, which does. A job that a crash of the
 * server brings back has no dispatch to claim.
 */
const RELAX = "SET synchronous_commit TO off";

/** The queues, kept by graphile-worker in a schema of its own. */
export class JobQueue {
  readonly #options: ResolvedPostgresOptions;
  readonly #schemaOf: () => Promise<string>;
  #known: string | undefined;

  /** @param schemaOf tells the schema of the engine's tables */
  constructor(options: ResolvedPostgresOptions, schemaOf: () => Promise<string>) {
    this.#options = options;
    this.#schemaOf = schemaOf;
  }

  /** The schema of the jobs, as SQL names it. */
  async schema(): Promise<string> {
    return `"${(await this.#name()).replaceAll('"', '""')}"`;
  }

  /** Statements that remove the jobs whose dispatch has ended without them. */
  async removal(): Promise<Statement[]> {
    const jobs = await this.schema();
    const left = `FROM ${jobs}.jobs j WHERE j.run_at < clock_timestamp() - ${LEFT_AFTER}
      AND (j.locked_at IS NULL OR j.locked_at < clock_timestamp() - ${LEFT_AFTER})
      AND NOT EXISTS (SELECT 1 FROM _service_dispatches d WHERE d.job_id = j.id)`;
    return [
      {
        sql: `SELECT ${jobs}.force_unlock_workers(array_agg(j.locked_by)) ${left} AND j.locked_by IS NOT NULL
          HAVING count(*) > 0`,
        params: [],
      },
      { sql: `SELECT ${jobs}.complete_jobs(array_agg(j.id)) ${left} HAVING count(*) > 0`, params: [] },
    ];
  }

  async take({ queues, codes, concurrency, execute }: TakeRequest): Promise<Taking> {
    const { Logger, runTaskList } = loadGraphile();
    const schema = await this.#name();
    const task = async (payload: unknown) => execute(payload as Announced);
    const identifiers = queues.flatMap((queue) => codes.map((code) => identifierOf(queue, code)));
    const tasks = Object.fromEntries(identifiers.map((identifier) => [identifier, task]));
    const logger = new Logger(() => () => {});
    const common = { schema, logger, pollInterval: POLL_MS, noHandleSignals: true };
    return new JobTaking((places, events) => {
      const pool = this.#openPool(RELAX);
      const workers = runTaskList({ ...common, events, concurrency: places }, tasks, pool);
      return { workers, ended: Promise.resolve(workers.promise).finally(() => pool.end()) };
    }, concurrency);
  }

  async #name(): Promise<string> {
    if (this.#known === undefined) {
      const schema = await this.#schemaOf();
      this.#known = schema === "public" ? "treadle_jobs" : `treadle_jobs_${schema}`.slice(0, 63);
    }
    return this.#known;
  }

  /** Makes what the package keeps of its own. @throws DB_DRIVER_MISSING */
  async prepare(): Promise<void> {
    const { Logger, runMigrations } = loadGraphile();
    const schema = await this.#name();
    const pgPool = this.#openPool();
    try {
      const turn = await pgPool.connect();
      try {
        await turn.query(TAKE_TURN, [schema]);
        await runMigrations({ pgPool, schema, logger: new Logger(() => () => {}) });
        await turn.query(END_TURN, [schema]);
        turn.release();
      } catch (error) {
        // The lock ends with its session.
        turn.release(true);
        throw error;
      }
    } finally {
      await pgPool.end();
    }
  }

  #openPool(first?: string): Pool {
    return openPlainPool(this.#options, { max: MOST_CONNECTIONS, first });
  }
}

function loadGraphile() {
  return loadDriver("graphile-worker", () => require("graphile-worker") as typeof import("graphile-worker"));
}
