import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
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
  const found = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const read = (file: string) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");
        const seen = (await read("environ")) + (await read("cmdline"));
        return seen.includes(text) ? [Number(pid)] : [];
      }),
  );
  return found.flat();
}

/** Looks until `holds` is true; fails after `withinMs`. */
export async function eventually(holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Did not come true within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
