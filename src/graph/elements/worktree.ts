import type { GroupRule } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readText } from "../props.js";
import { groupId, planInSequence, withSkip } from "./arrangement.js";

export const worktreeRule: GroupRule = {
  kind: "group",
  attributes: ["path", "branch", "baseBranch", "skipIf"],
  enter({ element, around, facts }) {
    const { path } = element.props;
    if (typeof path !== "string" || path.trim() === "") {
      throw frameError("WORKTREE_EMPTY_PATH", element, "has no path.");
    }
    // Two elements with one path are one worktree, so the path makes the better default id.
    facts.address = groupId(element, around) ?? `worktree:${path}`;
    const branch = readText(element, "branch");
    const baseBranch = readText(element, "baseBranch");
    const worktree = {
      id: facts.address,
      path,
      ...(baseBranch !== undefined && { baseBranch }),
      ...(branch !== undefined && { branch }),
    };
    return withSkip({ ...around, worktree }, element);
  },
  plan: planInSequence,
};
