import { getAnswerSchema } from "../repositories/answer-schemas.js";
import { getApproval, listApprovals } from "../repositories/approvals.js";
import { agentUse, quotaWaits } from "../repositories/agent-use.js";
import { listAttempts, listAttemptTimes } from "../repositories/attempts.js";
import { getCache } from "../repositories/cache.js";
import { listControls } from "../repositories/controls.js";
import { listEvents } from "../repositories/events.js";
import { getLoadedFiles } from "../repositories/loaded-files.js";
import { listFrames } from "../repositories/frames.js";
import { listIntents, pendingIntents } from "../repositories/inbox.js";
import { countNodes, getNode, listNodes, longestWaiting } from "../repositories/nodes.js";
import { getQuestion, listQuestions } from "../repositories/questions.js";
import { getResumeFailure } from "../repositories/resume-failures.js";
import { runOutcomes } from "../repositories/run-outcomes.js";
import { findRunIds, getRun } from "../repositories/runs.js";
import { aggregateScores, listScores, storedScores } from "../repositories/scores.js";
import { newestScores, scoreTrend } from "../repositories/score-trend.js";
import { listToolEffects } from "../repositories/tool-effects.js";
import { listUsage, usedTokens } from "../repositories/usage.js";
import { changeMarks } from "../repositories/change-marks.js";
import { countWaits } from "../repositories/wait-counts.js";
import { nextWake, wakingRuns } from "../repositories/waking-runs.js";
import type { Query } from "../sql-port.js";
import type { Answered, When, WorkRunner } from "./answer.js";

/** The reads of a store that are one query each, by the names of their methods. */
const queries = {
  resumeFailure: getResumeFailure,
  pendingIntents,
  listIntents,
  getRun,
  wakingRuns,
  nextWake,
  findRunIds,
  listNodes,
  getNode,
  countNodes,
  longestWaiting,
  listAttempts,
  listAttemptTimes,
  listEvents,
  listFrames,
  listApprovals,
  getApproval: (runId: string, nodeId: string, iteration: number) =>
    getApproval({ runId, nodeId, iteration }),
  countWaits,
  changeMarks,
  listControls,
  listUsage,
  usedTokens,
  listQuestions,
  getQuestion,
  listScores,
  storedScores,
  listToolEffects,
  aggregateScores,
  scoreTrend,
  newestScores,
  runOutcomes,
  agentUse,
  quotaWaits,
  getCache,
  getLoadedFiles,
  getAnswerSchema,
};

type Queries = typeof queries;

type FoundBy<Q> = Q extends Query<infer T> ? T : never;

type Reads<W extends When> = {
  [Name in keyof Queries]: (
    ...args: Parameters<Queries[Name]>
  ) => Answered<W, FoundBy<ReturnType<Queries[Name]>>>;
};

/** Has a method for each of the queries, which gives it to the database. */
class QueryMethods {
  constructor(database: WorkRunner<When>) {
    for (const [name, query] of Object.entries(queries)) {
      const method = (...args: unknown[]) =>
        database.read(Reflect.apply(query, undefined, args) as Query<unknown>);
      Object.defineProperty(this, name, { value: method, writable: true, configurable: true });
    }
  }
}

/** As its methods are typed by their queries, which no class can be declared with. */
export const QueryReads = QueryMethods as unknown as new <W extends When>(
  database: WorkRunner<W>,
) => Reads<W>;
