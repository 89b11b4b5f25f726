import type { GroupRule, Site } from "../element-rule.js";
import { readFlag, readTexts } from "../props.js";
import { enterWithSkip, part, planInSequence, sequenceOf, thrownIn, withSkip } from "./arrangement.js";
import { setControlAddress } from "./control-address.js";

/**
 * The component puts each part into an element of its own. `hasCatch` is its
 * word that there is a `catch`, which a function does not show before it is called.
 */
export const tryCatchFinallyRule: GroupRule = {
  kind: "group",
  attributes: ["catchErrors", "skipIf"],
  children: ["TryPart", "CatchPart", "FinallyPart"],
  hasState: true,
  enter(site) {
    setControlAddress(site, "try");
    checkAssumption(site);
    return withSkip(site.around, site.element);
  },
  plan({ element, facts }, planOf) {
    const [body, recover, final] = ["TryPart", "CatchPart", "FinallyPart"].map((tag) => {
      const found = part(element, tag);
      return found === undefined ? undefined : (planOf(found) ?? sequenceOf([]));
    });
    const catchErrors = readTexts(element, "catchErrors");
    const catchError = thrownIn(part(element, "CatchPart"));
    return {
      kind: "try",
      id: facts.address,
      try: body ?? sequenceOf([]),
      hasCatch: readFlag(element, "hasCatch") ?? recover !== undefined,
      ...(recover !== undefined && catchError === undefined && { catch: recover }),
      ...(catchError !== undefined && { catchError }),
      ...(catchErrors !== undefined && { catchErrors }),
      ...(final !== undefined && { finally: final }),
    };
  },
};

/** A function `catch` was called, or not, for the phase that its component assumed. */
function checkAssumption({ element, facts, extraction }: Site): void {
  const assumed = element.props["phase"];
  if (assumed === undefined) return;
  const state = extraction.runtime.control(facts.address);
  if (assumed !== (state?.kind === "scope" ? state.phase : "body")) extraction.needsRender = true;
}

/** `catch` and `finally`. */
export const handlingPartRule: GroupRule = {
  kind: "group",
  attributes: [],
  parents: ["TryCatchFinally"],
  enter: ({ around }) => ({ ...around, budgetRole: around.budgetRole ?? "handling" }),
  plan: planInSequence,
};

export const tryPartRule: GroupRule = {
  kind: "group",
  attributes: [],
  parents: ["TryCatchFinally"],
  enter: enterWithSkip,
  plan: planInSequence,
};
