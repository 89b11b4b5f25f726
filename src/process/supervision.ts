import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { traceVariables } from "../tracing/tracer.js";
import { currentProcessTerms } from "./process-terms.js";
import { hasLivingMember, killMarked } from "./orphans.js";
import { hostExecutables } from "./trusted-executable.js";
import { builtin } from "../util/builtin.js";

/** Variable that every process of a call inherits; its value is unique per call. */
const CALL_MARKER = "TREADLE_CALL";

/**
 * The process tree of one call:
 *
 *   engine ── sh, leader of its own process group, becomes the command
 *   init   ── watchdog, in the same group: waits for the end of descriptor 3, whose other end only the
 *             engine holds. Not a child of the command, which might wait for all of its children.
 *
 * When the engine dies in whatever way, the kernel closes its end. The watchdog then asks the group to
 * stop, if it may take some seconds for that, and kills what is left. Orphan processes that left the group by
 * setsid are found by the marker, where /proc shows it. The watchdog itself started without the marker
 * and ignores the polite signals; it dies with the group, which goes last.
 *
 * $1 is the marker's value, $2 the seconds, $3 the highest descriptor that is the command's, the rest the
 * command: nothing of a call becomes shell text. Descriptors that the engine got from its own parent do not
 * reach the command where the shell is bash; other shells cannot name those above 9.
 */
const SUPERVISOR_SCRIPT = `
if [ -n "$BASH_VERSION" ]; then
  for fd in /proc/self/fd/*; do
    fd="\${fd##*/}"
    case "$fd" in *[!0-9]*) continue ;; esac
    if [ "$fd" -gt "$3" ]; then eval "exec $fd>&-"; fi
  done
fi
( (
  trap '' TERM INT HUP
  read -r _
  if [ "$2" -gt 0 ]; then
    kill -s TERM -- "-$$"
    sleep "$2"
  fi
  grep -l "${CALL_MARKER}=$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
    kill -s KILL "$pid"
  done
  kill -s KILL -- "-$$"
) <&3 >/dev/null 2>&1 3<&- 4>&- 5<&- & )
export ${CALL_MARKER}="$1"
shift 3
exec 3<&-
exec "$@"
`;

export interface SupervisedCommand {
  /** Absolute path of the executable, then its arguments. */
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Unique per call. */
  callId: string;
  /** The command's input. */
  stdin: "pipe" | "ignore";
  /** Between the death of this process and the end of the command, in seconds; 0 kills at once. */
  graceSeconds: number;
  /** Descriptors 4 and 5 as pipes, for commands that talk to the engine before they begin. @default false */
  hasSidePipes?: boolean;
}

/** Starts a command in a process group of its own that does not outlive this process. */
export function spawnSupervised(command: SupervisedCommand): ChildProcess {
  const { argv, cwd, env, callId, stdin, graceSeconds, hasSidePipes = false } = command;
  const bash = hostExecutables.find("bash");
  // Bash reads ~/.bashrc when its input is a socket, as our pipes are, and BASH_ENV always: not as our supervisor.
  const shell = bash === undefined ? ["/bin/sh"] : [bash, "--norc", "-p"];
  const settings = [callId, String(graceSeconds), hasSidePipes ? "5" : "3"];
  const [program = "/bin/sh", ...options] = shell;
  return builtin("node:child_process").spawn(
    program,
    [...options, "-c", SUPERVISOR_SCRIPT, "sh", ...settings, ...argv],
    {
      cwd,
      env: { ...env, ...currentProcessTerms().markers, ...traceVariables() },
      detached: true,
      stdio: [stdin, "pipe", "pipe", "pipe", ...(hasSidePipes ? (["pipe", "pipe"] as const) : [])],
    },
  );
}

/** The watchdog lives until the group is killed, so the group's id cannot have passed to other processes. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No such group: it has been killed before.
  }
}

/** Looks at a killed group before it is taken for gone (a process may be stuck in the kernel), and the time between two, in milliseconds. */
const LOOKS = 40;
const BETWEEN_LOOKS_MS = 5;

/** Ends everything that a call has started, also what left its group, and waits until the group is gone. */
export async function endCall(child: ChildProcess, callId: string): Promise<void> {
  signalGroup(child, "SIGKILL");
  await killMarked({ name: CALL_MARKER, value: callId });
  const group = child.pid;
  for (let look = 0; look < LOOKS && group !== undefined && hasLivingMember(group); look += 1) {
    await delay(BETWEEN_LOOKS_MS);
  }
}
