import type { WorkspaceChange } from "../operations/index.js";
import type { Followed } from "./follow.js";

export type { WorkspaceChange };

/** Changes in the lists of a gateway, as long as it is followed; also after a lost connection it begins with `all`. */
export function workspaceChanges(): Followed<WorkspaceChange> {
  return {
    method: "streamWorkspace",
    params: () => ({}),
    read({ event, payload }) {
      if (event !== "workspace.changed") return [];
      const { kind, ids } = payload as WorkspaceChange;
      return [{ kind, ids }];
    },
  };
}
