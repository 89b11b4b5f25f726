import { type AgentQuestion, QUESTION_MODES } from "../../model/agent-question.js";
import { count, instant, jsonAsText, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";

/** What agents were asked. */
export const questionTable = new RowTable<AgentQuestion>({
  name: "_service_questions",
  key: ["nodeId", "iteration", "attempt", "questionNo"],
  ofRun: true,
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    attempt: count("attempt"),
    questionNo: count("question_no"),
    agentId: text("agent_id"),
    askedAtMs: instant("asked_at_ms"),
    schemaRetry: count("schema_retry"),
    mode: oneOf("mode", QUESTION_MODES),
    prompt: text("prompt"),
    leftOutBytes: count("left_out_bytes"),
    instructions: nullable(text("instructions")),
    messagesJson: nullable(jsonAsText("messages_json")),
    leftOutMessages: count("left_out_messages"),
    schemaJson: nullable(jsonAsText("schema_json")),
  },
});
