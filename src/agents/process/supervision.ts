import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** Variable that every process of a call inherits; its value is unique per call. */
export const AGENT_CALL_MARKER = "TREADLE_AGENT_CALL";

/**
 * The process tree of one call:
 *
 *   engine ── sh, leader of its own process group, becomes the agent's command
 *   init   ── watchdog, in the same group: waits for the end of descriptor 3, whose other end only the
 *             engine holds. Not a child of the command, which might wait for all of its children.
 *
 * When the engine dies in whatever way, the kernel closes its end. The watchdog then asks the group to
 * stop, so that the agent can save its session, and kills what is left a second later. Strays that left
 * the group by setsid are found by the marker, where /proc shows it. The watchdog itself started without
 * the marker and ignores the polite signals; it dies with the group, which goes last.
 *
 * $1 is the marker's value, the rest the command: nothing of a call becomes shell text.
 */
const SUPERVISOR_SCRIPT = `
( (
  trap '' TERM INT HUP
  read -r _
  kill -s TERM -- "-$$"
  sleep 1
  grep -l "${AGENT_CALL_MARKER}=$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
    kill -s KILL "$pid"
  done
  kill -s KILL -- "-$$"
) <&3 >/dev/null 2>&1 3<&- & )
export ${AGENT_CALL_MARKER}="$1"
shift
exec 3<&-
exec "$@"
`;

export interface SupervisedCommand {
  /** Absolute path of the executable. */
  path: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Unique per call. */
  callId: string;
}

/** Starts a command in a process group of its own that does not outlive this process. */
export function spawnSupervised(command: SupervisedCommand): ChildProcess {
  const { path, args, cwd, env, callId } = command;
  return spawn("/bin/sh", ["-c", SUPERVISOR_SCRIPT, "sh", callId, path, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
}

/** The watchdog lives until the group is killed, so the group's id cannot have passed to strangers. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No such group: it has been killed before.
  }
}

/** Enough for processes that fork while they are hunted; each round finds what the last one left. */
const ROUNDS = 5;

/** Kills the processes of a call that left its group; only Linux shows them. */
export async function killStrays(callId: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const strays = await findMarked(callId);
    if (strays.length === 0) return;
    for (const pid of strays) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone by itself, or not ours to kill.
      }
    }
  }
}

async function findMarked(callId: string): Promise<number[]> {
  const marker = `${AGENT_CALL_MARKER}=${callId}`;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return environment.split("\0").includes(marker) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
