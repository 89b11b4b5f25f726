import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import type { Scorer, ScorerInput, ScoreResult } from "../model/scorer.js";
import { shorten } from "../util/bounded-text.js";
import { findJsonLoss } from "../util/json-loss.js";
import { isPlainObject } from "../util/same-data.js";

/**
 * Asks one scorer and checks what it says; the score is brought into 0 to 1.
 * @throws SCORER_FAILED when it throws, or does not answer with a score
 */
export async function runScorer(scorer: Scorer, input: ScorerInput): Promise<ScoreResult> {
  let said: unknown;
  try {
    said = await scorer.score(input);
  } catch (thrown) {
    const cause = ensureError(thrown);
    throw scorerFailed(scorer, `threw: ${cause.message}`, cause);
  }
  return checkedResult(scorer, said);
}

function checkedResult(scorer: Scorer, said: unknown): ScoreResult {
  if (typeof said !== "object" || said === null) {
    throw scorerFailed(scorer, `returned ${said === null ? "null" : typeof said} instead of {score}`);
  }
  const { score, reason, meta } = said as { [Member in keyof ScoreResult]?: unknown };
  if (typeof score !== "number" || !Number.isFinite(score)) {
    throw scorerFailed(scorer, `returned a score that is no finite number: ${shown(score)}`);
  }
  if (reason !== undefined && reason !== null && typeof reason !== "string") {
    throw scorerFailed(scorer, `returned a reason that is no text: ${shown(reason)}`);
  }
  if (meta !== undefined && meta !== null && (!isPlainObject(meta) || findJsonLoss(meta) !== undefined)) {
    throw scorerFailed(scorer, "returned meta that is no object of plain JSON");
  }
  return {
    score: Math.min(1, Math.max(0, score)),
    ...(typeof reason === "string" && { reason }),
    ...(isPlainObject(meta) && { meta }),
  };
}

/** The error of a score that is not there. */
export function scorerFailed({ id }: Pick<Scorer, "id">, what: string, cause?: Error): ServiceError {
  return new ServiceError("SCORER_FAILED", `Scorer ${id} ${what}.`, {
    details: { scorer: id },
    ...(cause !== undefined && { cause }),
  });
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(shorten(value, 100)) : String(value);
}
