import type { HostElement } from "../../model/host-node.js";
import type { PlanNode, SagaPlan } from "../../model/plan.js";
import type { GroupRule } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readChoice, readText, readTaskId } from "../props.js";
import { enterWithSkip, part, planInSequence, sequenceOf, thrownIn, withSkip } from "./arrangement.js";
import { setControlAddress } from "./control-address.js";

export const sagaRule: GroupRule = {
  kind: "group",
  attributes: ["onFailure", "skipIf"],
  children: ["SagaStep"],
  hasState: true,
  enter(site) {
    setControlAddress(site, "saga");
    return withSkip(site.around, site.element);
  },
  plan({ element, facts }, planOf) {
    const steps: SagaPlan["steps"] = [];
    const ids = new Set<string>();
    for (const step of element.children) {
      if (step.kind !== "element") continue;
      const id = readTaskId(step);
      if (ids.has(id)) throw frameError("DUPLICATE_ID", step, "has the id of another step of its saga.");
      ids.add(id);
      // It has no plan of its own; asked for one, it notices when its parts get others.
      planOf(step);
      const compensationError = thrownIn(part(step, "SagaCompensation"));
      steps.push({
        id,
        action: planOfPart(step, "SagaAction", planOf),
        compensation: planOfPart(step, "SagaCompensation", planOf),
        ...(compensationError !== undefined && { compensationError }),
      });
    }
    const onFailure = readChoice(element, "onFailure", ["compensate", "compensate-and-fail", "fail"]);
    return { kind: "saga", id: facts.address, onFailure: onFailure ?? "compensate", steps };
  },
};

export const sagaStepRule: GroupRule = {
  kind: "group",
  attributes: ["id", "label"],
  parents: ["Saga"],
  children: ["SagaAction", "SagaCompensation"],
  enter({ element, around }) {
    readTaskId(element);
    readText(element, "label");
    return around;
  },
  // The saga reads its steps itself: an action and its compensation are no sequence.
  plan: () => undefined,
};

/** All content of a compensation is compensation. */
export const sagaCompensationRule: GroupRule = {
  kind: "group",
  attributes: [],
  parents: ["SagaStep"],
  enter: ({ around }) => ({ ...around, budgetRole: "undo" }),
  plan: planInSequence,
};

export const sagaActionRule: GroupRule = {
  kind: "group",
  attributes: [],
  parents: ["SagaStep"],
  enter: enterWithSkip,
  plan: planInSequence,
};

function planOfPart(
  step: HostElement,
  tag: "SagaAction" | "SagaCompensation",
  planOf: (child: HostElement) => PlanNode | undefined,
): PlanNode {
  const found = part(step, tag);
  const plan = found === undefined ? undefined : planOf(found);
  return plan ?? sequenceOf([]);
}
