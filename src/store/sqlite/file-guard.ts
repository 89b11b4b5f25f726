import { statSync } from "node:fs";
import { ServiceError } from "../../errors/service-error.js";

/**
 * Notices that the files of an open database are no longer the ones at its path.
 * SQLite would continue writing into files that cannot be opened any more.
 *
 * Asked after each statement, so that nothing is reported as done that was written
 * into the void, and nothing is answered from a deleted file. While a
 * connection is open no other process removes the log.
 */
export class FileGuard {
  readonly #path: string;
  readonly #files: readonly string[];
  readonly #known = new Map<string, number>();

  constructor(path: string, { hasLog }: { hasLog: boolean }) {
    this.#path = path;
    this.#files = hasLog ? [path, `${path}-wal`] : [path];
    this.#known.set(path, inodeOf(path) ?? 0);
  }

  /** @throws DB_LOST */
  check(): void {
    for (const file of this.#files) {
      const inode = inodeOf(file);
      const known = this.#known.get(file);
      if (known === undefined && inode !== undefined) this.#known.set(file, inode);
      else if (known !== inode) throw this.#lost(file, inode);
    }
  }

  #lost(file: string, inode: number | undefined): ServiceError {
    const what = inode === undefined ? "is gone" : "is another file than the one that was opened";
    return new ServiceError(
      "DB_LOST",
      `The database ${this.#path} was lost while it was in use: ${file} ${what}. The last writes are not kept, and nothing is read from the rest.`,
      { details: { path: this.#path, file } },
    );
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
