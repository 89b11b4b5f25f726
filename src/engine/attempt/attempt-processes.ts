import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { TASK_MARKER } from "../../model/task-marker.js";
import { OWNER_MARKER, type ProcessScope } from "../../process/process-scope.js";
import type { AttemptJob } from "../ports.js";
import { runRoot } from "../run-root.js";

/** What belongs to a SQLite database beside its file. */
const DATABASE_FILES = ["", "-wal", "-shm", "-journal"];

/** What holds for the processes of an attempt. Most attempts start none, so paths are looked up when asked for. */
export function attemptProcesses(job: AttemptJob, databasePath: string | undefined): ProcessScope {
  let paths: Pick<ProcessScope, "hidden" | "frozen"> | undefined;
  const places = () => {
    paths ??= { hidden: stateOf(job, databasePath), frozen: job.modules.map(realPath) };
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

/** The database and the state folder of the workspace, wherever the run works. */
function stateOf({ config }: AttemptJob, databasePath: string | undefined): string[] {
  const folders = [runRoot(config)];
  const databases = folders.map((folder) => join(folder, "service.db"));
  if (databasePath !== undefined && isAbsolute(databasePath)) {
    databases.push(databasePath);
    folders.push(dirname(databasePath));
  }
  const files = databases.map(realPath).flatMap((path) => DATABASE_FILES.map((suffix) => path + suffix));
  return [...new Set([...files, ...folders.map((folder) => join(realPath(folder), ".service"))])];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
