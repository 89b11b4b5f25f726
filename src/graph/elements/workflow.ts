import type { GroupRule } from "../element-rule.js";
import { invalid, readFlag, readText } from "../props.js";
import { planInSequence } from "./arrangement.js";

export const workflowRule: GroupRule = {
  kind: "group",
  attributes: ["name", "cache"],
  parents: ["#root", "InlineSubflow"],
  enter({ element, around }) {
    if (readText(element, "name") === undefined) throw invalid(element, "name", "the workflow's name");
    const cache = readFlag(element, "cache") ?? false;
    // The frame says so for the workflow at the root.
    return cache && element.parent?.tag === "InlineSubflow" ? { ...around, cache } : around;
  },
  plan: planInSequence,
};
