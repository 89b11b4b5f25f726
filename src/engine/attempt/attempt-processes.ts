import { TASK_MARKER } from "../../model/task-marker.js";
import { OWNER_MARKER, type ProcessScope } from "../../process/process-scope.js";
import { realPath, workspaceState } from "../../process/workspace-state.js";
import type { AttemptJob } from "../ports.js";
import { runRoot } from "../run-root.js";

/** What holds for the processes of an attempt. Most attempts start none, so paths are looked up when asked for. */
export function attemptProcesses(job: AttemptJob, databasePath: string | undefined): ProcessScope {
  let paths: Pick<ProcessScope, "hidden" | "frozen"> | undefined;
  const places = () => {
    paths ??= {
      hidden: workspaceState(runRoot(job.config), databasePath),
      frozen: job.modules.map(realPath),
    };
    return paths;
  };
  return {
    isConcealing: job.config.toolIsolation !== "none",
    markers: { [TASK_MARKER]: `${job.runId}/${job.nodeId}`, [OWNER_MARKER]: job.ownerId },
    get hidden() {
      return places().hidden;
    },
    get frozen() {
      return places().frozen;
    },
  };
}
