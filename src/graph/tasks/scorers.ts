import type { HostElement } from "../../model/host-node.js";
import type { ScorerBinding, ScorersMap } from "../../model/scorer.js";
import { isPlainObject } from "../../util/same-data.js";
import { frameError } from "../frame-error.js";
import { checkJson, readObject } from "../props.js";

const BINDING_MEMBERS: ReadonlySet<string> = new Set([
  "scorer",
  "sampling",
  "groundTruth",
  "context",
] satisfies (keyof ScorerBinding)[]);

/** Bindings that were found to be right: a frame brings the same objects again and again. */
const checked = new WeakSet<object>();

/** The prop `scorers`. @throws INVALID_INPUT naming the entry and what is expected of it */
export function readScorers(element: HostElement): ScorersMap | undefined {
  const given = readObject(element, "scorers");
  if (given === undefined) return undefined;
  const names = new Map<string, string>();
  for (const [name, binding] of Object.entries(given)) {
    const { scorer } = checkedBinding(element, name, binding);
    const other = names.get(scorer.id);
    if (other !== undefined) {
      const what = `scorer ids that differ, as their scores are told apart by them: "${other}" and "${name}" have "${scorer.id}"`;
      throw frameError("INVALID_INPUT", element, `has scorers; expected ${what}.`);
    }
    names.set(scorer.id, name);
  }
  return given as ScorersMap;
}

function checkedBinding(element: HostElement, name: string, given: unknown): ScorerBinding {
  const refuse = (part: string, expected: string) =>
    frameError("INVALID_INPUT", element, `has scorers["${name}"]${part}; expected ${expected}.`);
  if (!isPlainObject(given)) throw refuse("", "an object {scorer, sampling?, groundTruth?, context?}");
  const binding = given as unknown as ScorerBinding;
  if (checked.has(given)) return binding;
  const unknown = Object.keys(given).find((member) => !BINDING_MEMBERS.has(member));
  if (unknown !== undefined) throw refuse(`.${unknown}`, "only scorer, sampling, groundTruth and context");
  const { scorer, sampling } = given;
  const { id, name: title, score } = (scorer ?? {}) as { id?: unknown; name?: unknown; score?: unknown };
  if (typeof id !== "string" || id === "") throw refuse(".scorer.id", "a non-empty string");
  if (typeof title !== "string" || title === "") throw refuse(".scorer.name", "a non-empty string");
  if (typeof score !== "function")
    throw refuse(".scorer.score", "a function that returns a promise of {score}");
  const problem = samplingProblem(sampling);
  if (problem !== undefined) throw refuse(".sampling", problem);
  checkJson(element, `scorers["${name}"].groundTruth`, binding.groundTruth);
  checkJson(element, `scorers["${name}"].context`, binding.context);
  checked.add(given);
  return binding;
}

function samplingProblem(sampling: unknown): string | undefined {
  if (sampling === undefined) return undefined;
  const { type, rate } = (isPlainObject(sampling) ? sampling : {}) as { type?: unknown; rate?: unknown };
  if (type === "all" || type === "none") return undefined;
  if (type !== "ratio") return '{type: "all"}, {type: "none"} or {type: "ratio", rate}';
  if (typeof rate === "number" && rate >= 0 && rate <= 1) return undefined;
  return `{type: "ratio", rate} with a rate from 0 to 1, not ${String(rate)}`;
}
