import { readdir, readFile } from "node:fs/promises";

/** Enough for processes that fork while they are hunted; each round finds what the last one left. */
const ROUNDS = 5;

/** A variable of the environment that tells the processes of one call, or of one owner, from all others. */
export interface ProcessMark {
  readonly name: string;
  readonly value: string;
}

/** Kills all processes that carry the mark. Only Linux shows environments: elsewhere nothing happens. */
export async function killMarked(mark: ProcessMark): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const strays = await findMarked(mark);
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

async function findMarked({ name, value }: ProcessMark): Promise<number[]> {
  const entry = `${name}=${value}`;
  const own = String(process.pid);
  const pids = (await readdir("/proc").catch(() => [])).filter((pid) => /^\d+$/.test(pid) && pid !== own);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return environment.split("\0").includes(entry) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
