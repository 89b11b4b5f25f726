import type {
  AggregateOptions,
  AggregateScore,
  SampledScore,
  ScoreAddress,
  ScoreEnd,
  StoredScore,
} from "../../model/scorer.js";
import { count, real, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { runTable } from "../engine-tables/runs.js";
import { scoreTable } from "../engine-tables/scores.js";
import type { ScoreFilter } from "../filters.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(scoreTable);

/** No row that may be written last: the same commit may say how the score has ended. */
export function upsertScore(runNo: number, score: StoredScore): Statement {
  return { sql: UPSERT, params: scoreTable.writeOf(runNo, score) };
}

const address = scoreTable.pick("nodeId", "iteration", "attempt", "scorerId", "source");
const ending = scoreTable.pick("state", "score", "reason", "error", "metaJson", "scoredAtMs", "durationMs");

const assigned = (table: { inOrder: readonly { name: string }[] }, separator: string) =>
  table.inOrder.map(({ name }) => `${name} = ?`).join(separator);

const END = `UPDATE _service_scores SET ${assigned(ending, ", ")}
  WHERE run_no = ? AND ${assigned(address, " AND ")}`;

export function endScore(runNo: number, end: ScoreAddress & ScoreEnd): Statement {
  return { sql: END, params: [...ending.write(end), ...address.writeOf(runNo, end)] };
}

/** Scores that a run has sampled itself and not completed yet, oldest first. */
export function pendingScores(runId: string): Query<StoredScore[]> {
  return {
    sql: `SELECT ${scoreTable.names()} FROM _service_scores
      WHERE run_no = ${RUN_NO} AND state = 'pending' AND source = 'live'
      ORDER BY sampled_at_ms, node_id, iteration, attempt, scorer_id`,
    params: [runId],
    read: (rows) => scoreTable.all(rows, runId),
  };
}

/** All scores that a run has sampled itself, as they are stored. */
export function storedScores(runId: string): Query<StoredScore[]> {
  return {
    sql: `SELECT ${scoreTable.names()} FROM _service_scores WHERE run_no = ${RUN_NO} AND source = 'live'
      ORDER BY node_id, iteration, attempt, scorer_id`,
    params: [runId],
    read: (rows) => scoreTable.all(rows, runId),
  };
}

const runOf = runTable.pick("runId");

/** A list's order; the position of a row in it is made of the same columns. */
const ORDER = ["s.sampled_at_ms", "r.run_id", ...address.inOrder.map(({ name }) => `s.${name}`)];

/** By the time of the task's end, then by run and address. */
export function listScores(filter: ScoreFilter): Query<SampledScore[]> {
  const conditions = ["1 = 1"];
  const params: SqlValue[] = [];
  const where = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (filter.runId !== undefined) where("r.run_id = ?", filter.runId);
  if (filter.nodeId !== undefined) where("s.node_id = ?", filter.nodeId);
  if (filter.iteration !== undefined) where("s.iteration = ?", filter.iteration);
  if (filter.scorerId !== undefined) where("s.scorer_id = ?", filter.scorerId);
  if (filter.state !== undefined) where("s.state = ?", filter.state);
  if (filter.after !== undefined) {
    const { sampledAtMs, runId, ...place } = filter.after;
    const values = [sampledAtMs, runId, ...address.write(place)];
    where(`(${ORDER.join(", ")}) > (${values.map(() => "?").join(", ")})`, ...values);
  }
  return {
    sql: `SELECT ${runOf.names("r")}, ${scoreTable.names("s")}
      FROM _service_scores s JOIN _service_runs r ON r.run_no = s.run_no
      WHERE ${conditions.join(" AND ")} ORDER BY ${ORDER.join(", ")} LIMIT ?`,
    params: [...params, filter.limit],
    read: (rows) => rows.map(toSampledScore),
  };
}

function toSampledScore(values: SqlRow): SampledScore {
  const { runId } = runOf.read(values);
  const stored = scoreTable.read(values, { at: runOf.width, runId });
  const { groundTruthJson: _truth, contextJson: _context, ...score } = stored;
  return { runId, ...score };
}

/** The reader for groups of an aggregate; no table of the database. */
const aggregate = new RowTable<Omit<AggregateScore, "stddev"> & { variance: number }>({
  name: "_service_scores",
  key: ["scorerId", "scorerName"],
  ofRun: false,
  noun: "Group of rows",
  columns: {
    scorerId: text("scorer_id"),
    scorerName: text("scorer_name"),
    count: count("count"),
    mean: real("mean"),
    min: real("min"),
    max: real("max"),
    p50: real("p50"),
    variance: real("variance"),
  },
});

/** Of a score `s`: the row that it is about stands. A reset or another attempt has replaced that of a score that does not count. */
const IS_CURRENT = `NOT EXISTS (SELECT 1 FROM _service_nodes n
  WHERE n.run_no = s.run_no AND n.node_id = s.node_id AND n.iteration = s.iteration
    AND (n.last_attempt <> s.attempt OR n.state <> 'finished'))`;

/** The median is the mean of the one or two scores in the middle. */
export function aggregateScores({ runId, nodeId, scorerId }: AggregateOptions): Query<AggregateScore[]> {
  const filter = [
    ...(runId === undefined ? [] : [[`run_no = ${RUN_NO}`, runId] as const]),
    ...(nodeId === undefined ? [] : [["node_id = ?", nodeId] as const]),
    ...(scorerId === undefined ? [] : [["scorer_id = ?", scorerId] as const]),
  ];
  return {
    sql: `WITH placed AS (
        SELECT scorer_id, scorer_name, score,
          ROW_NUMBER() OVER (PARTITION BY scorer_id, scorer_name ORDER BY score) AS place,
          COUNT(*) OVER (PARTITION BY scorer_id, scorer_name) AS size,
          AVG(score) OVER (PARTITION BY scorer_id, scorer_name) AS middle
        FROM _service_scores s WHERE ${["state = 'scored'", "score IS NOT NULL", IS_CURRENT, ...filter.map(([sql]) => sql)].join(" AND ")})
      SELECT scorer_id, scorer_name, COUNT(*), AVG(score), MIN(score), MAX(score),
        AVG(CASE WHEN place IN ((size + 1) / 2, (size + 2) / 2) THEN score END),
        AVG((score - middle) * (score - middle))
      FROM placed GROUP BY scorer_id, scorer_name ORDER BY scorer_id, scorer_name`,
    params: filter.map(([, value]) => value),
    read: (rows) =>
      aggregate.all(rows).map(({ variance, ...score }) => ({ ...score, stddev: Math.sqrt(variance) })),
  };
}
