import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files of one call, readable by this user only; the folder appears with the first one. */
export class CallFiles {
  #folder: string | undefined;

  /** The path of a new file with this content. */
  async write(name: string, text: string): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), "treadle-agent-"));
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
