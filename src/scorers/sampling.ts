import type { ScoreAddress, ScorerBinding } from "../model/scorer.js";
import { sha256Hex } from "../util/hash.js";

/** The place of an output in its run, and who judges it. */
export type ScoredPlace = Omit<ScoreAddress, "source"> & { runId: string };

/** Whether a binding's scorer is for this output: the same answer whenever it is asked. */
export function isSampled({ sampling }: Pick<ScorerBinding, "sampling">, place: ScoredPlace): boolean {
  switch (sampling?.type) {
    case undefined:
    case "all":
      return true;
    case "none":
      return false;
    case "ratio":
      return lot(place) < sampling.rate;
    default:
      return sampling satisfies never;
  }
}

const LOTS = 2 ** 48;

/** A number from 0 to 1, excluding 1: the first 48 bits of a hash. */
function lot({ runId, nodeId, iteration, attempt, scorerId }: ScoredPlace): number {
  const hash = sha256Hex(JSON.stringify([runId, nodeId, iteration, attempt, scorerId]));
  return Number.parseInt(hash.slice(0, 12), 16) / LOTS;
}

/** Id of a score's row: the same output, scorer and source always give the same. */
export function scoreId(at: ScoredPlace & Pick<ScoreAddress, "source">): string {
  const { runId, nodeId, iteration, attempt, scorerId, source } = at;
  return `scorer_${sha256Hex(JSON.stringify([runId, nodeId, iteration, attempt, scorerId, source])).slice(0, 32)}`;
}
