import type { Scorer } from "../model/scorer.js";

const JUDGE = Symbol("asks a model");

/** Marks a scorer that asks a model, also where another one is made of it: a test is not to ask one unawares. */
export function asJudge(scorer: Scorer): Scorer {
  return Object.assign(scorer, { [JUDGE]: true });
}

export function isJudge(scorer: Scorer): boolean {
  return JUDGE in scorer;
}
