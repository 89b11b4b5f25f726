import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newOwnerId, ownerLiveness } from "../process/owner.js";
import { ServiceError } from "../errors/service-error.js";
import { ensureError } from "../errors/ensure-error.js";

/** The folder of the generations of one hot reload, below `outDir`: two processes may share that. */
export class Overlay {
  readonly #outDir: string;
  readonly #folder: string;
  readonly #most: number;
  readonly #made: string[];
  readonly #files: string[] = [];

  /** @throws HOT_OVERLAY_FAILED */
  constructor(outDir: string, maxGenerations: number) {
    this.#outDir = outDir;
    this.#folder = join(outDir, newOwnerId().replaceAll("/", "~"));
    this.#most = maxGenerations;
    this.#made = this.#try(() => {
      const first = mkdirSync(this.#folder, { recursive: true });
      // Generated code, which goes away: nothing for a repository.
      writeFileSync(join(outDir, ".gitignore"), "*\n");
      return foldersBetween(first, outDir);
    });
    this.#sweep();
  }

  /** Where the files of a generation are, or will be. */
  placeOf(generation: number, ending: string): string {
    return join(this.#folder, `gen-${generation}${ending}`);
  }

  /** Writes a generation and removes the oldest one beyond the limit. @throws HOT_OVERLAY_FAILED */
  write(file: string, code: string): void {
    this.#try(() => {
      // The folder may have been deleted.
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(file, code);
      this.#files.push(file);
      while (this.#files.length > this.#most) rmSync(this.#files.shift() as string, { force: true });
    });
  }

  /** Removes what was made here; code that is loaded does not need its file any more. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    try {
      if (readdirSync(this.#outDir).every((name) => name === ".gitignore")) {
        rmSync(join(this.#outDir, ".gitignore"), { force: true });
        for (const folder of this.#made) rmdirSync(folder);
      }
    } catch {
      // Another process has put a file there, or removed it first.
    }
  }

  /** Removes files of killed processes; those of another container, say, are not known here. */
  #sweep(): void {
    for (const name of readdirSync(this.#outDir)) {
      if (!name.includes("~") || ownerLiveness(name.replaceAll("~", "/")) !== "dead") continue;
      rmSync(join(this.#outDir, name), { recursive: true, force: true });
    }
  }

  #try<T>(write: () => T): T {
    try {
      return write();
    } catch (cause) {
      throw new ServiceError(
        "HOT_OVERLAY_FAILED",
        `The generations of hot reload cannot be written to ${this.#outDir}: ${ensureError(cause).message}.`,
        { details: { outDir: this.#outDir }, cause },
      );
    }
  }
}

/** Innermost first; none when nothing had to be made. */
function foldersBetween(first: string | undefined, last: string): string[] {
  const folders: string[] = [];
  if (first === undefined) return folders;
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}
