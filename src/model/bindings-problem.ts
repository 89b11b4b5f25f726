import { findJsonLoss } from "../util/json-loss.js";
import { isPlainObject } from "../util/same-data.js";
import type { ScorerBinding } from "./scorer.js";

/** A wrong entry in a map of scorers, and its place: `scorers`, or a path from there. */
export interface BindingsProblem {
  at: string;
  expected: string;
  received: unknown;
}

const MEMBERS: ReadonlySet<string> = new Set([
  "scorer",
  "sampling",
  "groundTruth",
  "context",
] satisfies (keyof ScorerBinding)[]);

/** Bindings that were found to be right: a frame brings the same objects again and again. */
const checked = new WeakSet<object>();

/** The first thing that is wrong with a value that is to be a map of scorers. */
export function bindingsProblem(given: unknown): BindingsProblem | undefined {
  if (!isPlainObject(given))
    return { at: "scorers", expected: "an object of scorers by name", received: given };
  const names = new Map<string, string>();
  for (const [name, binding] of Object.entries(given)) {
    const problem = bindingProblem(binding);
    if (problem !== undefined) return { ...problem, at: `scorers["${name}"]${problem.at}` };
    const { id } = (binding as ScorerBinding).scorer;
    const other = names.get(id);
    if (other !== undefined) {
      const expected = `scorer ids that differ, as they identify the scores: "${other}" and "${name}" have "${id}"`;
      return { at: "scorers", expected, received: given };
    }
    names.set(id, name);
  }
  return undefined;
}

function bindingProblem(given: unknown): BindingsProblem | undefined {
  const problem = (at: string, expected: string, received: unknown) => ({ at, expected, received });
  if (!isPlainObject(given))
    return problem("", "an object {scorer, sampling?, groundTruth?, context?}", given);
  if (checked.has(given)) return undefined;
  const unknown = Object.keys(given).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined)
    return problem(`.${unknown}`, "only scorer, sampling, groundTruth and context", given[unknown]);
  const { scorer, sampling } = given;
  const { id, name, score } = (scorer ?? {}) as { id?: unknown; name?: unknown; score?: unknown };
  if (typeof id !== "string" || id === "") return problem(".scorer.id", "a non-empty string", id);
  if (typeof name !== "string" || name === "") return problem(".scorer.name", "a non-empty string", name);
  if (typeof score !== "function")
    return problem(".scorer.score", "a function that returns a promise of {score}", score);
  const expected = expectedSampling(sampling);
  if (expected !== undefined) return problem(".sampling", expected, sampling);
  for (const member of ["groundTruth", "context"] as const) {
    const loss = findJsonLoss(given[member]);
    if (loss === undefined) continue;
    const where = loss.path === "" ? "" : ` in "${loss.path}"`;
    return problem(`.${member}`, `plain JSON values or dates, not ${loss.what}${where}`, given[member]);
  }
  checked.add(given);
  return undefined;
}

function expectedSampling(sampling: unknown): string | undefined {
  if (sampling === undefined) return undefined;
  const { type, rate } = (isPlainObject(sampling) ? sampling : {}) as { type?: unknown; rate?: unknown };
  if (type === "all" || type === "none") return undefined;
  if (type !== "ratio") return '{type: "all"}, {type: "none"} or {type: "ratio", rate}';
  if (typeof rate === "number" && rate >= 0 && rate <= 1) return undefined;
  return `{type: "ratio", rate} with a rate from 0 to 1, not ${String(rate)}`;
}
