import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "../../util/once.js";
import { removeLeftFolders } from "./left-folders.js";

const PREFIX = "treadle-agent-";
const DAY_MS = 86_400_000;

/** Once in a process. In another container, which may share the temporary folder, processes cannot be seen: hence the day. */
const clearUp = once(() =>
  removeLeftFolders(tmpdir(), {
    prefix: PREFIX,
    isUsed: (name) => isRunning(Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1])),
    untouchedMs: DAY_MS,
  }),
);

/**
 * Files of one call, readable by this user only; the folder appears with the first one. Those of a process that was
 * killed go with a later call of another one.
 */
export class CallFiles {
  #folder: string | undefined;

  /** The path of a new file with this content. */
  async write(name: string, text: string): Promise<string> {
    if (this.#folder === undefined) {
      await clearUp();
      this.#folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    }
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
