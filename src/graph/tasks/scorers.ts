import { bindingsProblem } from "../../model/bindings-problem.js";
import type { HostElement } from "../../model/host-node.js";
import type { ScorersMap } from "../../model/scorer.js";
import { frameError } from "../frame-error.js";
import { readObject } from "../props.js";

/** The prop `scorers`. @throws INVALID_INPUT naming the entry and what is expected of it */
export function readScorers(element: HostElement): ScorersMap | undefined {
  const given = readObject(element, "scorers");
  if (given === undefined) return undefined;
  const problem = bindingsProblem(given);
  if (problem !== undefined) {
    throw frameError("INVALID_INPUT", element, `has ${problem.at}; expected ${problem.expected}.`);
  }
  return given as ScorersMap;
}
