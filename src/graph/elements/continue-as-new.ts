import type { GroupRule } from "../element-rule.js";

export const continueAsNewRule: GroupRule = {
  kind: "group",
  attributes: [],
  children: [],
  enter: ({ around }) => around,
  plan({ element, around }) {
    if (around.skip) return undefined;
    const loopIds = around.loops.map((loop) => loop.controlId);
    return { kind: "continue-as-new", state: element.props["state"], loopIds };
  },
};
