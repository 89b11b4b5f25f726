import type { Lease, NewRun, RunCommit, RunWrite, WriteOutcome } from "../contract.js";
import type { RunListeners } from "../listeners.js";
import { commitStatements, fenceError, leaseLost, newRunStatements } from "../repositories/commit.js";
import type { GeneratedTables } from "../repositories/generated-tables.js";
import { getRunHead, type RunHead } from "../repositories/runs.js";
import type { Statement } from "../sql-port.js";
import type { SqliteConnection } from "./connection.js";
import type { TableBindings } from "./table-bindings.js";

interface HeldRun {
  runNo: number;
  tables: GeneratedTables;
}

/** Writes what runs have to write: that they exist, and their steps. */
export class RunWriter {
  readonly #connection: SqliteConnection;
  readonly #bindings: TableBindings;
  readonly #intentListeners: RunListeners;
  /** What the runs are that this handle commits for; an entry goes with the lease. */
  readonly #held = new Map<string, HeldRun>();

  constructor(connection: SqliteConnection, bindings: TableBindings, intentListeners: RunListeners) {
    this.#connection = connection;
    this.#bindings = bindings;
    this.#intentListeners = intentListeners;
  }

  /** In a transaction of its own. */
  write(write: RunWrite): void {
    // Nobody is told of a run with an owner before its first commit, which makes this one durable, too.
    const durability = write.type === "create" && write.run.ownerId !== null ? "relaxed" : "full";
    this.#connection.port.write(this.#statementsOf(write), durability);
    if (this.#afterWrite(write)) this.#connection.shrinkWal();
  }

  /** In one transaction, in which each that is refused is undone alone. */
  writeTogether(writes: readonly RunWrite[]): WriteOutcome[] {
    // Tables are made before the transaction, so that a member that is undone takes none along.
    const members = writes.map((write) => this.#bound(write));
    const outcomes = this.#connection.port.together(members);
    let anyReleased = false;
    outcomes.forEach(({ ok }, index) => {
      if (ok && this.#afterWrite(writes[index] as RunWrite)) anyReleased = true;
    });
    if (anyReleased) this.#connection.shrinkWal();
    return outcomes;
  }

  /** There are more tables now: those of each run are looked for again. */
  forgetTables(): void {
    this.#held.clear();
  }

  /** Of the runs that this handle commits for, as they are called now. */
  get workflowNames(): string[] {
    return [...this.#held.keys()].flatMap((runId) => this.#headOf(runId)?.workflowName ?? []);
  }

  /** This handle does not commit for the run any more. */
  forget(runId: string): void {
    this.#held.delete(runId);
  }

  #bound(write: RunWrite): () => Statement[] {
    try {
      if (write.type === "commit") this.#heldRun(write.commit.lease);
      const newRuns = write.type === "create" ? [write.run] : write.commit.newRuns;
      for (const run of newRuns) this.#bindings.of(run.workflowName);
    } catch (error) {
      return () => {
        throw error;
      };
    }
    return () => this.#statementsOf(write);
  }

  #statementsOf(write: RunWrite): Statement[] {
    const tablesOf = (run: NewRun) => this.#bindings.of(run.workflowName);
    if (write.type === "create") return newRunStatements(write.run, tablesOf(write.run));
    const { commit } = write;
    const { runNo, tables } = this.#heldRun(commit.lease);
    return commitStatements(commit, { runNo, tables, tablesOf, onFenced: () => this.#explainFence(commit) });
  }

  /** Once it is durable. @returns whether the run was released with it */
  #afterWrite(write: RunWrite): boolean {
    const { commits } = this.#connection;
    if (write.type === "create") {
      commits.notify(write.run.runId);
      return false;
    }
    const { lease, run, events, newRuns, requests } = write.commit;
    const { runId } = lease;
    this.#connection.mark(this.#held.get(runId)?.runNo, lease, events.at(-1)?.seq);
    if (run.release === true) this.#held.delete(runId);
    commits.notify(runId);
    for (const next of newRuns) commits.notify(next.runId);
    for (const request of requests) this.#intentListeners.notify(request.runId);
    return run.release === true;
  }

  #heldRun(lease: Lease): HeldRun {
    const known = this.#held.get(lease.runId);
    if (known !== undefined) return known;
    const head = this.#headOf(lease.runId);
    if (head === undefined) throw leaseLost(lease);
    const held = { runNo: head.runNo, tables: this.#bindings.of(head.workflowName) };
    this.#held.set(lease.runId, held);
    return held;
  }

  /** Called inside the refused transaction, so it sees what the fence saw. */
  #explainFence(commit: RunCommit): Error {
    const { runId } = commit.lease;
    const error = fenceError(commit, this.#headOf(runId));
    if (error.code === "RUN_RESUME_CLAIM_LOST") this.#held.delete(runId);
    return error;
  }

  #headOf(runId: string): RunHead | undefined {
    const { sql, params, read } = getRunHead(runId);
    return read(this.#connection.port.all(sql, params));
  }
}
