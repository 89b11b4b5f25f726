import type { GroupRule } from "../element-rule.js";

export const continueAsNewRule: GroupRule = {
  kind: "group",
  attributes: [],
  children: [],
  enter: ({ scope }) => scope,
  plan({ element, scope }) {
    if (scope.skip) return undefined;
    const loopIds = scope.loops.map((loop) => loop.controlId);
    return { kind: "continue-as-new", state: element.props["state"], loopIds };
  },
};
