import type { GroupRule } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readOptionalId, readText } from "../props.js";
import { planInSequence, withSkip } from "./arrangement.js";

const DEFAULT_BASE_BRANCH = "main";

export const worktreeRule: GroupRule = {
  kind: "group",
  attributes: ["path", "branch", "baseBranch", "skipIf"],
  enter({ element, scope, facts }) {
    const { path } = element.props;
    if (typeof path !== "string" || path.trim() === "") {
      throw frameError("WORKTREE_EMPTY_PATH", element, "has no path.");
    }
    // Two elements with one path are one worktree, so the path makes the better default id.
    facts.address = readOptionalId(element) ?? `worktree:${path}`;
    const branch = readText(element, "branch");
    const worktree = {
      id: facts.address,
      path,
      baseBranch: readText(element, "baseBranch") ?? DEFAULT_BASE_BRANCH,
      ...(branch !== undefined && { branch }),
    };
    return withSkip({ ...scope, worktree }, element);
  },
  plan: planInSequence,
};
