import { readdir, readFile } from "node:fs/promises";
import { CALL_MARKER } from "./child-script.js";

/** Enough for processes that fork while they are hunted; each round finds what the last one left. */
const ROUNDS = 5;

/**
 * Kills the processes of a call that left its process group. They are known by the
 * marker in their environment, which only Linux shows: elsewhere nothing happens.
 */
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
  const marker = `${CALL_MARKER}=${callId}`;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return environment.split("\0").includes(marker) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
