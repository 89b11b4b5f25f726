import { parseTaskKey, type TaskKey } from "../../model/address.js";
import { advance } from "../turn/advance.js";
import { beginCommit, type RunSession } from "./session.js";

/**
 * A task's code ends this process: the log says so, and the run can be resumed at
 * once. For stores that answer at once; with another one, or in the middle of a
 * turn, the run is left as a process leaves it that is killed.
 */
export function recordExit(
  session: RunSession,
  { key, attempt, code }: { key: TaskKey; attempt: number; code: number },
): void {
  const { services } = session;
  try {
    const commit = beginCommit(session);
    advance(session, commit, { type: "stop" });
    const reason = `its code ended the process with process.exit(${code})`;
    advance(session, commit, { type: "attempt-interrupted", key, attempt, reason, isSuspect: true });
    const { nodeId } = parseTaskKey(key);
    const by = `task ${nodeId} ended the process with process.exit(${code})`;
    commit.event({ type: "RunInterrupted", reason: by });
    commit.run.release = "dying";
    void services.store.commit(commit.build());
  } catch {
    // The next owner finds the attempt in progress and its process gone.
  }
}
