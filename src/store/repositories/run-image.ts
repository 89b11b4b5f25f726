import type { RunRow } from "../../model/run.js";
import type { NodeRow } from "../../model/node.js";
import type { RunImage } from "../contract.js";
import type { Query, SqlRow } from "../sql-port.js";
import type { InputCodec } from "../tables/input-codec.js";
import { listApprovals } from "./approvals.js";
import { listOpenAttempts } from "./attempts.js";
import { listControls } from "./controls.js";
import { snapshotChain } from "./frames.js";
import { pendingIntents } from "./inbox.js";
import { listNodes } from "./nodes.js";
import type { GeneratedTables } from "./generated-tables.js";
import { getCompleteInput, getInput, type OutputTableSql } from "./outputs.js";
import { getRun } from "./runs.js";
import { listUsage } from "./usage.js";

/** The reads that make up a run's image; they must all see the same moment. */
export class RunImageReader {
  readonly #runId: string;
  readonly #tables: readonly [outputKey: string, table: OutputTableSql][];
  readonly #input: InputCodec;
  readonly #parts;

  constructor(runId: string, { input, outputs }: GeneratedTables) {
    this.#runId = runId;
    this.#input = input;
    this.#tables = [...outputs];
    this.#parts = {
      run: getRun(runId),
      input: getInput(input, runId),
      nodes: listNodes(runId),
      openAttempts: listOpenAttempts(runId),
      controls: listControls(runId),
      approvals: listApprovals({ runId, limit: Number.MAX_SAFE_INTEGER }),
      intents: pendingIntents(runId),
      usage: listUsage(runId),
      lastSnapshot: snapshotChain(runId, Number.MAX_SAFE_INTEGER),
    };
  }

  get queries(): Pick<Query<unknown>, "sql" | "params">[] {
    return [...Object.values(this.#parts), ...this.#tables.map(([, table]) => table.scan(this.#runId))];
  }

  /**
   * The image from the rows of `queries`, in the same order.
   * @throws DB_SCHEMA_CONFLICT when the run may go on and a row lacks a required field
   */
  read(results: readonly SqlRow[][]): RunImage | undefined {
    const [run, input, nodes, openAttempts, controls, approvals, intents, usage, snapshots, ...outputs] =
      results;
    const row = this.#parts.run.read(run ?? []);
    if (row === undefined) return undefined;
    const nodeRows = this.#parts.nodes.read(nodes ?? []);
    return {
      run: row,
      input: this.#readInput(row, input ?? []),
      nodes: nodeRows,
      openAttempts: this.#parts.openAttempts.read(openAttempts ?? []),
      controls: this.#parts.controls.read(controls ?? []),
      outputs: this.#readOutputs(row, nodeRows, outputs),
      approvals: this.#parts.approvals.read(approvals ?? []),
      intents: this.#parts.intents.read(intents ?? []),
      usage: this.#parts.usage.read(usage ?? []),
      lastSnapshot: this.#parts.lastSnapshot.read(snapshots ?? []),
    };
  }

  #readInput(run: RunRow, rows: readonly SqlRow[]): Record<string, unknown> {
    if (mayGoOn(run)) return getCompleteInput(this.#input, run.runId).read(rows);
    return this.#parts.input.read(rows) ?? {};
  }

  /** In order of completion; rows of nodes that never ran here come first. */
  #readOutputs(run: RunRow, nodes: readonly NodeRow[], results: readonly SqlRow[][]): RunImage["outputs"] {
    const finished = new Map(
      nodes.map((node) => [`${node.nodeId}\0${node.iteration}`, node.finishedSeq ?? -1]),
    );
    const complete = mayGoOn(run);
    const outputs = this.#tables.flatMap(([outputKey, table], index) =>
      (results[index] ?? []).map((values) => ({
        outputKey,
        row: complete ? table.toCompleteRow(run.runId, values) : table.toRow(run.runId, values),
        rank: finished.get(`${values[0]}\0${values[1]}`) ?? -1,
      })),
    );
    outputs.sort((a, b) => a.rank - b.rank);
    return outputs.map(({ outputKey, row }) => ({ outputKey, row }));
  }
}

/** Failed and cancelled runs can be resumed; what has finished is only read. */
function mayGoOn({ status }: RunRow): boolean {
  return status !== "finished" && status !== "continued";
}
