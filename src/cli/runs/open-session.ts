import { spawn } from "node:child_process";
import { ServiceError } from "../../errors/service-error.js";
import { runRoot } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import { TASK_MARKER } from "../../model/task-marker.js";
import type { HijackedSession } from "../../operations/index.js";
import { findExecutable } from "../../process/find-executable.js";
import { concealment } from "../../process/isolation/concealment.js";
import { withoutOwnAccess } from "../../process/own-access.js";
import { workspaceState } from "../../process/workspace-state.js";

/** Opens an agent's session in this terminal and waits until its tool has ended. @throws PROCESS_SPAWN_FAILED */
export type OpenSession = (session: HijackedSession) => Promise<void>;

/**
 * Opens sessions of a run. The tool is a person's now, but what is said in it comes from an agent: it carries
 * the mark of its task and sees no more of the database than before.
 * @throws TOOL_ISOLATION_UNAVAILABLE this host cannot hide the database, and the run does not allow to go without
 */
export async function sessionOpener(
  { config }: RunRow,
  { path, environment }: { path: string; environment: NodeJS.ProcessEnv },
): Promise<OpenSession> {
  const hidden = workspaceState(runRoot(config), path);
  const before = config.toolIsolation === "none" ? [] : await concealment("the session's tool", hidden);
  return async (session) => {
    const { command, args, cwd, env, runId, nodeId } = session;
    const variables = { ...withoutOwnAccess(environment), ...env, [TASK_MARKER]: `${runId}/${nodeId}` };
    const path = await findExecutable(command, { env: variables, cwd });
    if (path === undefined) throw notStarted(session);
    const [program = path, ...words] = [...before, path, ...args];
    // Ctrl-C reaches the tool as well; what it means there is the tool's to say.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    try {
      await new Promise<void>((resolve, reject) => {
        spawn(program, words, { cwd, env: variables, stdio: "inherit" })
          .on("exit", () => resolve())
          .on("error", reject);
      });
    } catch (cause) {
      throw notStarted(session, cause);
    } finally {
      process.off("SIGINT", ignore);
    }
  };
}

function notStarted({ command, cwd }: HijackedSession, cause?: unknown): ServiceError {
  return new ServiceError("PROCESS_SPAWN_FAILED", `${command} could not be started in ${cwd}.`, {
    cause,
    details: { command, cwd },
  });
}
