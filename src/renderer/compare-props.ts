import type { HostProps } from "../model/host-node.js";
import { sameData } from "../util/same-data.js";
import { contentKind } from "../model/content-kind.js";

/** "content": nothing but the function, row or text between the tags, or the wording of the label. */
export type PropsChange = "none" | "content" | "structure";

/**
 * The changes between two renders of an element. Props are plain data or
 * opaque (functions, agents, schemas); data is compared by value, because
 * `dependsOn={["a"]}` is a new array in every render.
 */
export function compareProps(previous: HostProps, next: HostProps): PropsChange {
  let change: PropsChange = "none";
  for (const name in next) {
    const before = previous[name];
    const after = next[name];
    if (before === after) continue;
    if (name === "children") {
      const kind = contentKind(after);
      if (contentKind(before) !== kind) return "structure";
      // Child elements report their own changes.
      if (kind !== "elements") change = "content";
    } else if (name === "label" && typeof before === "string" && typeof after === "string") {
      change = "content";
    } else if (!sameData(before, after)) {
      return "structure";
    }
  }
  for (const name in previous) {
    if (previous[name] !== undefined && !(name in next)) return "structure";
  }
  return change;
}
