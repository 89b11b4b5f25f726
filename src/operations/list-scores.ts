import { type AggregateScore, type SampledScore, SCORE_SOURCES, SCORE_STATES } from "../model/scorer.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { ScoreFilter, ScorePosition } from "../store/index.js";
import { requireRun } from "./request/require-run.js";
import { type OperationTarget, storeOf } from "./request/target.js";
import { boundedRows } from "./read/bounded-rows.js";
import { cursorParts, wrongCursor } from "./read/page-cursor.js";

/** Which scores of a run are asked for. */
export interface ScoreListFilter {
  runId: string;
  /** @default all tasks */
  nodeId?: string;
  /** @default all iterations */
  iteration?: number;
  /** @default all scorers */
  scorerId?: string;
  /** @default all of them, also those that are outstanding or have failed */
  state?: SampledScore["state"];
  /** At most 500. @default 500 */
  limit?: number;
  /** `nextCursor` of the page before. @default the first page */
  cursor?: string;
}

/** A page of a run's scores. */
export interface ScorePage {
  /** By the time at which the scored tasks finished. */
  scores: SampledScore[];
  /** Pass as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
  /** Aggregates of all scores of the run, of the task and the scorer that were asked for; not only those of the page. */
  summary: AggregateScore[];
}

const LARGEST_PAGE = 500;

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.name,
  iteration: rules.wholeNumber,
  scorerId: rules.name,
  state: rules.oneOf(SCORE_STATES),
  limit: rules.withDefault(rules.positiveInteger, LARGEST_PAGE),
  cursor: rules.text,
} satisfies rules.OptionRules<ScoreListFilter>;

/**
 * Scores of a run's tasks, and those that are still outstanding.
 * @throws RUN_NOT_FOUND; INVALID_INPUT for a filter or cursor that is not as described
 */
export async function listScores(target: OperationTarget, filter: ScoreListFilter): Promise<ScorePage> {
  const { cursor, limit: wanted, ...asked } = checkOptions("listScores", filter, RULES);
  const store = await storeOf(target);
  const { runId, nodeId, scorerId } = asked;
  await requireRun(store, runId);
  const limit = Math.min(wanted, LARGEST_PAGE);
  const query: ScoreFilter = {
    ...asked,
    ...(cursor !== undefined && { after: positionOf(cursor) }),
    limit,
  };
  const read = (after: SampledScore | undefined, most: number) =>
    store.listScores({ ...query, ...(after !== undefined && { after }), limit: most });
  const { rows: scores, hasMore } = await boundedRows(read, { limit });
  const last = scores.at(-1);
  return {
    scores,
    nextCursor: hasMore && last !== undefined ? cursorOf(last) : null,
    summary: await store.aggregateScores({
      runId,
      ...(nodeId !== undefined && { nodeId }),
      ...(scorerId !== undefined && { scorerId }),
    }),
  };
}

function cursorOf(position: ScorePosition): string {
  const { sampledAtMs, runId, nodeId, iteration, attempt, scorerId, source } = position;
  return JSON.stringify([sampledAtMs, runId, nodeId, iteration, attempt, scorerId, source]);
}

function positionOf(cursor: string): ScorePosition {
  const [sampledAtMs, runId, nodeId, iteration, attempt, scorerId, source, ...rest] = cursorParts(cursor);
  const known = SCORE_SOURCES.find((name) => name === source);
  const areTexts = [runId, nodeId, scorerId].every((value) => typeof value === "string");
  const areNumbers = [sampledAtMs, iteration, attempt].every((value) => Number.isSafeInteger(value));
  if (!areTexts || !areNumbers || known === undefined || rest.length > 0) {
    throw wrongCursor(cursor, "scores");
  }
  return {
    sampledAtMs: sampledAtMs as number,
    runId: runId as string,
    nodeId: nodeId as string,
    iteration: iteration as number,
    attempt: attempt as number,
    scorerId: scorerId as string,
    source: known,
  };
}
