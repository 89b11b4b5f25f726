import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { turnOfLoop } from "../util/own-timers.js";

/** Enough for processes that fork while they are hunted; each round finds what the last one left. */
const ROUNDS = 5;
/** Processes looked at in one go: what /proc tells takes microseconds, and going through a pool of threads ten times that. */
const AT_ONCE = 100;

/** A variable of the environment that tells the processes of one call, or of one owner, from all others. */
export interface ProcessMark {
  readonly name: string;
  readonly value: string;
}

/** Kills all processes that carry the mark. Only Linux shows environments: elsewhere nothing happens. */
export async function killMarked(mark: ProcessMark): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const orphans = await findMarked(mark);
    if (orphans.length === 0) return;
    for (const pid of orphans) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone by itself, or not ours to kill.
      }
    }
  }
}

async function findMarked({ name, value }: ProcessMark): Promise<number[]> {
  const entry = `${name}=${value}`;
  const found: number[] = [];
  for (const [index, pid] of (processIds() ?? []).entries()) {
    if (index > 0 && index % AT_ONCE === 0) await turnOfLoop();
    if (pid !== process.pid && readProc(pid, "environ").split("\0").includes(entry)) found.push(pid);
  }
  return found;
}

/**
 * Whether a process of this group is alive. The dead stay in their group until their parent collects them, which
 * may be never: they do not count where /proc distinguishes them from the living.
 */
export function hasLivingMember(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  const pids = processIds();
  return pids === undefined || pids.some((pid) => isLivingMember(pid, group));
}

/** The name of the program, in parentheses, may hold anything; then come the state, the parent and the group. */
function isLivingMember(pid: number, group: number): boolean {
  const stat = readProc(pid, "stat");
  const [state = "", , its] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return its === String(group) && !/^[ZX]$/.test(state);
}

/** Undefined where there is no /proc. */
function processIds(): number[] | undefined {
  try {
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    return pids.length === 0 ? undefined : pids;
  } catch {
    return undefined;
  }
}

/** What is read goes here, and from here into text: `/proc` tells no sizes, and memory made for each read costs more than the read. */
const READ = Buffer.alloc(16_384);

/** Empty when the process is gone, or not ours to look at. */
function readProc(pid: number, what: "environ" | "stat"): string {
  let file: number | undefined;
  let text = "";
  try {
    file = openSync(`/proc/${pid}/${what}`, "r");
    for (let bytes = -1; bytes !== 0; text += READ.toString("latin1", 0, bytes)) bytes = readSync(file, READ);
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return text;
}
