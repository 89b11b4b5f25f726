import { hasEndedForGood, type RunRow } from "../../model/run.js";
import type { NodeRow } from "../../model/node.js";
import type { RunSnapshot } from "../contract.js";
import type { Query, SqlRow } from "../sql-port.js";
import { listApprovals } from "./approvals.js";
import { listOpenAttempts } from "./attempts.js";
import { listControls } from "./controls.js";
import { snapshotChain } from "./frames.js";
import { pendingIntents } from "./inbox.js";
import { getLoadedFiles } from "./loaded-files.js";
import { listNodes } from "./nodes.js";
import type { GeneratedTables } from "./generated-tables.js";
import { getRun } from "./runs.js";
import { pendingScores } from "./scores.js";
import { listUsage } from "./usage.js";

export interface RunSnapshotTables extends Pick<GeneratedTables, "inputs" | "outputs"> {
  /** Whether rows have to fit the schema: a run that continues reads them as its type says. */
  mustFit: boolean;
}

/** The reads that make up a run's run snapshot; they must all see the same moment. */
export class RunSnapshotReader {
  readonly #runId: string;
  readonly #tables: RunSnapshotTables;
  readonly #parts;

  constructor(runId: string, tables: RunSnapshotTables) {
    this.#runId = runId;
    this.#tables = tables;
    this.#parts = {
      run: getRun(runId),
      nodes: listNodes(runId),
      openAttempts: listOpenAttempts(runId),
      controls: listControls(runId),
      approvals: listApprovals({ runId, limit: Number.MAX_SAFE_INTEGER }),
      intents: pendingIntents(runId),
      usage: listUsage(runId),
      pendingScores: pendingScores(runId),
      lastSnapshot: snapshotChain(runId, Number.MAX_SAFE_INTEGER),
      loaded: getLoadedFiles(runId),
    };
  }

  get queries(): Pick<Query<unknown>, "sql" | "params">[] {
    const { inputs, outputs } = this.#tables;
    return [
      ...Object.values(this.#parts),
      ...inputs.map((table) => table.get(this.#runId)),
      ...outputs.map((table) => table.scan(this.#runId)),
    ];
  }

  /**
   * The run snapshot from the rows of `queries`, in the same order.
   * @throws DB_SCHEMA_CONFLICT when the run may continue and a row lacks a required field
   */
  read(results: readonly SqlRow[][]): RunSnapshot | undefined {
    const [
      run,
      nodes,
      openAttempts,
      controls,
      approvals,
      intents,
      usage,
      scores,
      snapshots,
      loaded,
      ...rows
    ] = results;
    const row = this.#parts.run.read(run ?? []);
    if (row === undefined) return undefined;
    const nodeRows = this.#parts.nodes.read(nodes ?? []);
    return {
      run: row,
      input: this.#readInput(row, rows),
      nodes: nodeRows,
      openAttempts: this.#parts.openAttempts.read(openAttempts ?? []),
      controls: this.#parts.controls.read(controls ?? []),
      outputs: this.#readOutputs(row, nodeRows, rows.slice(this.#tables.inputs.length)),
      approvals: this.#parts.approvals.read(approvals ?? []),
      intents: this.#parts.intents.read(intents ?? []),
      usage: this.#parts.usage.read(usage ?? []),
      pendingScores: this.#parts.pendingScores.read(scores ?? []),
      lastSnapshot: this.#parts.lastSnapshot.read(snapshots ?? []),
      loaded: this.#parts.loaded.read(loaded ?? []),
    };
  }

  #readInput(run: RunRow, results: readonly SqlRow[][]): Record<string, unknown> {
    const { inputs, mustFit } = this.#tables;
    const [first] = inputs;
    if (mustFit && !hasEndedForGood(run) && first !== undefined)
      return first.readComplete(run.runId, results[0] ?? []);
    for (const [index, table] of inputs.entries()) {
      const input = table.get(run.runId).read(results[index] ?? []);
      if (input !== undefined) return input;
    }
    return {};
  }

  /** In order of completion; rows of nodes that never ran here come first. */
  #readOutputs(run: RunRow, nodes: readonly NodeRow[], results: readonly SqlRow[][]): RunSnapshot["outputs"] {
    const finished = new Map(
      nodes.map((node) => [`${node.nodeId}\0${node.iteration}`, node.finishedSeq ?? -1]),
    );
    const complete = this.#tables.mustFit && !hasEndedForGood(run);
    const outputs = this.#tables.outputs.flatMap((table, index) =>
      (results[index] ?? []).map((values) => ({
        outputKey: table.layout.outputKey,
        row: complete ? table.toCompleteRow(run.runId, values) : table.toRow(run.runId, values),
        rank: finished.get(`${values[0]}\0${values[1]}`) ?? -1,
      })),
    );
    outputs.sort((a, b) => a.rank - b.rank);
    return outputs.map(({ outputKey, row }) => ({ outputKey, row }));
  }
}
