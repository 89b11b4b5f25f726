import type { EnclosingLoop } from "../../model/address.js";
import type { HostElement } from "../../model/host-node.js";
import type { Extraction, GroupRule } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readChoice, readCount, readFlag } from "../props.js";
import { childPlans, sequenceOf, withSkip } from "./arrangement.js";
import { setControlAddress } from "./control-address.js";

/** Rounds of a loop without `maxIterations`. */
export const DEFAULT_MAX_ITERATIONS = 5;

export const loopRule: GroupRule = {
  kind: "group",
  attributes: ["until", "maxIterations", "onMaxReached", "continueAsNewEvery", "skipIf"],
  hasState: true,
  hasIteration: true,
  enter({ element, around, facts, extraction }) {
    if (element.parent?.tag === "Loop") {
      throw frameError("NESTED_LOOP", element, "is the direct child of another Loop.");
    }
    const { id, controlId } = setControlAddress({ element, around, facts, extraction }, "loop");
    const loop: EnclosingLoop = { id, controlId, iteration: iterationOf(controlId, extraction) };
    checkAssumption(element, loop, extraction);
    return withSkip({ ...around, loops: [...around.loops, loop] }, element);
  },
  plan(site, planOf) {
    const { element, facts } = site;
    const every = readCount(element, "continueAsNewEvery", { min: 1 });
    return {
      kind: "loop",
      id: facts.address,
      iteration: facts.inner.loops.at(-1)?.iteration ?? 0,
      until: readFlag(element, "until") ?? false,
      maxIterations:
        readCount(element, "maxIterations", { min: 1, infinite: true }) ?? DEFAULT_MAX_ITERATIONS,
      onMaxReached: readChoice(element, "onMaxReached", ["fail", "return-last"]) ?? "return-last",
      ...(every !== undefined && { continueAsNewEvery: every }),
      skip: facts.inner.skip,
      body: sequenceOf(childPlans(site, planOf)),
    };
  },
};

function iterationOf(id: string, { runtime }: Extraction): number {
  const state = runtime.control(id);
  return state?.kind === "loop" ? state.iteration : 0;
}

/** The component rendered its children for the iteration it assumed, -1 while it did not know its id. */
function checkAssumption(element: HostElement, loop: EnclosingLoop, extraction: Extraction): void {
  if (element.props["iteration"] !== loop.iteration) extraction.needsRender = true;
}
