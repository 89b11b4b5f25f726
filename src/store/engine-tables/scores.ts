import { SCORE_SOURCES, SCORE_STATES, type StoredScore } from "../../model/scorer.js";
import { count, instant, json, jsonAsText, nullable, oneOf, real, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { errorShape } from "./error-shape.js";

export const scoreTable = new RowTable<StoredScore>({
  name: "_service_scores",
  key: ["nodeId", "iteration", "attempt", "scorerId", "source"],
  ofRun: true,
  storage: { isCompact: true, indexes: { pending: { on: ["run_no"], where: "state = 'pending'" } } },
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    attempt: count("attempt"),
    scorerId: text("scorer_id"),
    source: oneOf("source", SCORE_SOURCES),
    id: text("id"),
    scorerName: text("scorer_name"),
    state: oneOf("state", SCORE_STATES),
    score: nullable(real("score")),
    reason: nullable(text("reason")),
    error: nullable(json("error_json", errorShape)),
    metaJson: nullable(jsonAsText("meta_json")),
    inputJson: nullable(jsonAsText("input_json")),
    outputJson: nullable(jsonAsText("output_json")),
    groundTruthJson: nullable(jsonAsText("ground_truth_json")),
    contextJson: nullable(jsonAsText("context_json")),
    latencyMs: nullable(instant("latency_ms")),
    sampledAtMs: instant("sampled_at_ms"),
    scoredAtMs: nullable(instant("scored_at_ms")),
    durationMs: nullable(instant("duration_ms")),
  },
});
