import { spawn } from "node:child_process";
import { ServiceError } from "../../errors/service-error.js";
import type { HijackedSession } from "../../operations/hijack-run.js";

/**
 * Opens an agent's session in this terminal and waits until its tool has ended.
 * @throws PROCESS_SPAWN_FAILED
 */
export async function openSession(session: HijackedSession, environment: NodeJS.ProcessEnv): Promise<void> {
  const { command, args, cwd, env } = session;
  // Ctrl-C reaches the tool as well; what it means there is the tool's to say.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    await new Promise<void>((resolve, reject) => {
      spawn(command, args, { cwd, env: { ...environment, ...env }, stdio: "inherit" })
        .on("exit", () => resolve())
        .on("error", reject);
    });
  } catch (cause) {
    throw new ServiceError("PROCESS_SPAWN_FAILED", `${command} could not be started in ${cwd}.`, {
      cause,
      details: { command, cwd },
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}
