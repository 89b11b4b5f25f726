import type { GroupRule } from "../element-rule.js";
import { enterWithSkip, planInSequence } from "./arrangement.js";

export const sequenceRule: GroupRule = {
  kind: "group",
  attributes: ["skipIf"],
  enter: enterWithSkip,
  plan: planInSequence,
};

/** The chosen side is the only child; the other one is not mounted. */
export const branchRule: GroupRule = {
  kind: "group",
  attributes: ["if", "skipIf"],
  enter: enterWithSkip,
  plan: planInSequence,
};
