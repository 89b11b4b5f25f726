import { execFile } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Ids of the live processes that carry `text` in their environment or arguments. */
export async function processesWith(text: string): Promise<number[]> {
  if (process.platform !== "linux") {
    const { stdout } = await run("ps", ["-Aeww", "-o", "pid=,command="]);
    return stdout
      .split("\n")
      .filter((line) => line.includes(text))
      .map((line) => Number.parseInt(line, 10));
  }
  const seen = (pid: string) => readProc(pid, "environ") + readProc(pid, "cmdline");
  return (await readdir("/proc"))
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && seen(name).includes(text))
    .map(Number);
}

/** Made once: what is asked for all processes, again and again, would be made anew for each file. */
const READ = Buffer.alloc(65_536);

/** Empty when the process is gone. */
function readProc(pid: string, name: "environ" | "cmdline"): string {
  let text = "";
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/${name}`, "r");
    for (let bytes = -1; bytes !== 0; text += READ.toString("latin1", 0, bytes)) bytes = readSync(file, READ);
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return text;
}

/** Looks until `holds` is true; fails after `withinMs`. */
export async function eventually(holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Did not come true within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
