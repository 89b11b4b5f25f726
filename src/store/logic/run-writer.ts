import { ServiceError } from "../../errors/service-error.js";
import type { Lease, NewRun, RunCommit, RunWrite, WriteOutcome } from "../contract.js";
import type { RunListeners } from "../listeners.js";
import { commitStatements, fenceError, leaseLost, newRunStatements } from "../repositories/commit.js";
import type { GeneratedTables } from "../repositories/generated-tables.js";
import type { ReplacedRow } from "../engine-tables/history.js";
import { removedRows } from "../repositories/history.js";
import { getRunHead, type RunHead } from "../repositories/runs.js";
import type { Query, Statement, Work } from "../sql-port.js";
import type { When } from "./answer.js";
import type { Database } from "./database.js";
import type { TableBindings } from "./table-bindings.js";
import { read, write } from "./work.js";
import { writeTogether } from "./write-together.js";

/** A run that this handle commits for. */
type HeldRun = Pick<RunHead, "runNo" | "workflowName">;

/** Writes what runs have to write: that they exist, and their steps. */
export class RunWriter {
  readonly #database: Pick<Database<When>, "commits" | "committed" | "dialect" | "released">;
  readonly #bindings: TableBindings;
  readonly #intentListeners: RunListeners;
  /** An entry goes with the lease. */
  readonly #held = new Map<string, HeldRun>();

  constructor(
    database: Pick<Database<When>, "commits" | "committed" | "dialect" | "released">,
    bindings: TableBindings,
    intentListeners: RunListeners,
  ) {
    this.#database = database;
    this.#bindings = bindings;
    this.#intentListeners = intentListeners;
  }

  /** In a transaction of its own. */
  *write(run: RunWrite): Work<void> {
    // A run with an owner is not reported before its first commit, which makes this one durable, too.
    const durability = run.type === "create" && run.run.ownerId !== null ? "relaxed" : "full";
    const statements = yield* this.#statementsOf(run);
    try {
      yield* write(statements, durability);
    } catch (error) {
      this.#afterRefusal(run, error);
      throw error;
    }
    if (this.#afterWrite(run)) this.#database.released();
  }

  /** In one transaction, in which each that is refused is undone alone. */
  *writeTogether(writes: readonly RunWrite[]): Work<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    const members: { at: number; statements: Statement[] }[] = [];
    // Tables are made before the transaction, so that a member that is undone takes none along.
    for (const [at, run] of writes.entries()) {
      try {
        members.push({ at, statements: yield* this.#statementsOf(run) });
      } catch (error) {
        outcomes[at] = { ok: false, error };
      }
    }
    const written = yield* writeTogether(members.map(({ statements }) => statements));
    let anyReleased = false;
    for (const [index, outcome] of written.entries()) {
      const { at } = members[index] as { at: number };
      outcomes[at] = outcome;
      const run = writes[at] as RunWrite;
      if (!outcome.ok) this.#afterRefusal(run, outcome.error);
      else if (this.#afterWrite(run)) anyReleased = true;
    }
    if (anyReleased) this.#database.released();
    return outcomes;
  }

  /** There are more tables now: what each run is called is looked up again. */
  forgetAll(): void {
    this.#held.clear();
  }

  /** Of the runs that this handle commits for, as they are called now. */
  *workflowNames(): Work<string[]> {
    const names: string[] = [];
    for (const runId of [...this.#held.keys()]) {
      const head = yield* read(getRunHead(runId));
      if (head !== undefined) names.push(head.workflowName);
    }
    return names;
  }

  /** This handle does not commit for the run any more. */
  forget(runId: string): void {
    this.#held.delete(runId);
  }

  *#statementsOf(write: RunWrite): Work<Statement[]> {
    const newRuns = write.type === "create" ? [write.run] : write.commit.newRuns;
    const held = write.type === "commit" ? yield* this.#heldRun(write.commit.lease) : undefined;
    const tables = new Map<string, GeneratedTables>();
    const names = newRuns.map(({ workflowName }) => workflowName);
    if (held !== undefined) names.push(held.workflowName);
    for (const name of names) if (!tables.has(name)) tables.set(name, yield* this.#bindings.of(name));
    const tablesOf = ({ workflowName }: { workflowName: string }) =>
      tables.get(workflowName) as GeneratedTables;
    // No look at the catalogue for the many writes that bring no rows of another run along.
    const stored = hasStoredRows(write) ? yield* this.#bindings.stored() : NO_TABLES;
    if (write.type === "create") {
      const { run } = write;
      const input = yield* inputOf(run, stored);
      return newRunStatements(run, { tables: tablesOf(run), stored, ...(input !== undefined && { input }) });
    }
    const { commit } = write;
    const { runNo } = held as HeldRun;
    const own = tablesOf(held as HeldRun);
    const { dialect } = this.#database;
    const removed: ReplacedRow[] = [];
    for (const query of removedRows(commit, own)) removed.push(...(yield* read(query)));
    return commitStatements(commit, {
      runNo,
      tables: own,
      stored,
      removed,
      tablesOf,
      dispatch: (each) => dialect.dispatch?.(runNo, each) ?? [],
      takeReports: dialect.takeReports,
      onFenced: () => whyFenced(commit),
    });
  }

  /** Once it is durable. @returns whether the run was released with it */
  #afterWrite(write: RunWrite): boolean {
    const { commits } = this.#database;
    if (write.type === "create") {
      commits.notify(write.run.runId);
      return false;
    }
    const { lease, run, events, newRuns, requests } = write.commit;
    const { runId } = lease;
    const held = this.#held.get(runId);
    if (held !== undefined) this.#database.committed(held.runNo, lease, events.at(-1)?.seq);
    const isReleased = (run.release ?? false) !== false;
    if (isReleased) this.#held.delete(runId);
    commits.notify(runId);
    for (const next of newRuns) commits.notify(next.runId);
    for (const request of requests) this.#intentListeners.notify(request.runId);
    return isReleased;
  }

  #afterRefusal(write: RunWrite, error: unknown): void {
    if (write.type === "commit" && ServiceError.is(error, "RUN_RESUME_CLAIM_LOST")) {
      this.#held.delete(write.commit.lease.runId);
    }
  }

  *#heldRun(lease: Lease): Work<HeldRun> {
    const known = this.#held.get(lease.runId);
    if (known !== undefined) return known;
    const head = yield* read(getRunHead(lease.runId));
    if (head === undefined) throw leaseLost(lease);
    this.#held.set(lease.runId, head);
    return head;
  }
}

const NO_TABLES: GeneratedTables = { inputs: [], outputs: [], output: () => [] };

function hasStoredRows(write: RunWrite): boolean {
  if (write.type === "commit") return (write.commit.restoredOutputs ?? []).length > 0;
  return write.run.inputOf !== undefined || (write.run.seed?.stored ?? []).length > 0;
}

/** @throws MISSING_INPUT when the run that it is taken from has none any more */
function* inputOf(
  { runId, inputOf: from }: NewRun,
  { inputs }: GeneratedTables,
): Work<Statement[] | undefined> {
  if (from === undefined) return undefined;
  for (const table of inputs) {
    const copy = yield* read(table.copy(from, runId));
    if (copy.length > 0) return copy;
  }
  throw new ServiceError("MISSING_INPUT", `Run "${from}" has no input row.`, { details: { runId: from } });
}

/** Asked inside the refused transaction, so it sees what the fence saw. */
function whyFenced(commit: RunCommit): Query<Error> {
  const { sql, params, read } = getRunHead(commit.lease.runId);
  return { sql, params, read: (rows) => fenceError(commit, read(rows)) };
}
