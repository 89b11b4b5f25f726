import type { TaskPlace } from "../../model/address.js";
import type { AgentQuestion, QuestionHead } from "../../model/agent-question.js";
import { questionTable } from "../engine-tables/questions.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(questionTable);

export function upsertQuestion(runNo: number, question: AgentQuestion): Statement {
  return { sql: UPSERT, params: questionTable.writeOf(runNo, question), isRow: true };
}

const heads = questionTable.pick("attempt", "questionNo", "agentId", "askedAtMs", "schemaRetry");

/** Of one attempt, in the order in which they were asked; without `attempt` of the newest that has asked. */
export function listQuestions(
  runId: string,
  { nodeId, iteration, attempt }: TaskPlace & { attempt?: number | undefined },
): Query<QuestionHead[]> {
  const ofNode = `FROM _service_questions WHERE run_no = ${RUN_NO} AND node_id = ? AND iteration = ?`;
  const params = [runId, nodeId, iteration];
  const chosen = attempt === undefined ? `(SELECT MAX(attempt) ${ofNode})` : "?";
  return {
    sql: `SELECT ${heads.names()} ${ofNode} AND attempt = ${chosen} ORDER BY question_no`,
    params: [...params, ...(attempt === undefined ? params : [attempt])],
    read: (rows) => heads.all(rows, runId),
  };
}

export function getQuestion(
  runId: string,
  at: Pick<AgentQuestion, "nodeId" | "iteration" | "attempt" | "questionNo">,
): Query<AgentQuestion | undefined> {
  return {
    sql: `SELECT ${questionTable.names()} FROM _service_questions
      WHERE run_no = ${RUN_NO} AND node_id = ? AND iteration = ? AND attempt = ? AND question_no = ?`,
    params: [runId, at.nodeId, at.iteration, at.attempt, at.questionNo],
    read: (rows) => questionTable.first(rows, runId),
  };
}
