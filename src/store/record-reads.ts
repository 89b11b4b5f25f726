import type { AgentQuestion, QuestionHead } from "../model/agent-question.js";
import type { TaskPlace } from "../model/address.js";
import type { AggregateOptions, AggregateScore, SampledScore, StoredScore } from "../model/scorer.js";
import type { ToolEffect } from "../model/tool-effect.js";
import type { Awaitable } from "../util/awaitable.js";
import type { ScoreFilter } from "./filters.js";
import type { AttemptTimes, UsageRow } from "./row-contract.js";

/** What the attempts of a run have left beside their rows. */
export interface RecordReads {
  /** Of all attempts, in the order in which they began. */
  listAttemptTimes(runId: string): Awaitable<AttemptTimes[]>;
  /** @param node default: of all */
  listUsage(runId: string, node?: TaskPlace): Awaitable<UsageRow[]>;
  /** Tokens in and out of all calls of a run, those of its child runs not among them. */
  usedTokens(runId: string): Awaitable<number>;
  /**
   * What an attempt has asked, in that order, without the texts.
   * @param at without `attempt`: of the newest that has asked
   */
  listQuestions(runId: string, at: TaskPlace & { attempt?: number | undefined }): Awaitable<QuestionHead[]>;
  getQuestion(
    runId: string,
    at: Pick<AgentQuestion, "nodeId" | "iteration" | "attempt" | "questionNo">,
  ): Awaitable<AgentQuestion | undefined>;
  /** By the time of the task's end, then by address. */
  listScores(filter: ScoreFilter): Awaitable<SampledScore[]>;
  /** Those that the run has sampled itself, by address. */
  storedScores(runId: string): Awaitable<StoredScore[]>;
  /** Calls of its tools that can be undone, by address. */
  listToolEffects(runId: string): Awaitable<ToolEffect[]>;
  /** One entry for each scorer, by id and name. */
  aggregateScores(options: AggregateOptions): Awaitable<AggregateScore[]>;
}
