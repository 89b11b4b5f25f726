import { existsSync } from "node:fs";
import { type FSWatcher, watch } from "chokidar";
import { foldersOf, isWatched, type WatchedFiles } from "./watched-files.js";

/** Files are watched through their folders: an editor that saves by renaming, or a checkout, replaces them. */
export class FileWatch {
  readonly #onChange: (path: string) => void;
  #watcher: FSWatcher | undefined;
  #watched: WatchedFiles = { files: new Set(), stems: new Set() };
  #folders: ReadonlySet<string> = new Set();
  /** Folders that are not there, on the way to files that are not there either. */
  #awaited: ReadonlySet<string> = new Set();

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange;
  }

  /** Watches these files instead of those before. */
  follow(watched: WatchedFiles): void {
    const before = this.#watched;
    const foldersBefore = this.#folders;
    this.#watched = watched;
    const { existing, missing } = foldersOf(watched);
    this.#folders = existing;
    this.#awaited = missing;
    if (this.#watcher === undefined) return;
    const left = [...foldersBefore].filter((folder) => !existing.has(folder));
    if (left.length > 0) this.#watcher.unwatch(left);
    const newFolders = [...existing].filter((folder) => !foldersBefore.has(folder));
    const newFiles = [...watched.files].filter((path) => !isWatched(path, before) && existsSync(path));
    if (newFolders.length > 0 || newFiles.length > 0) this.#watcher.add([...newFolders, ...newFiles]);
  }

  /** Begins with what was said to be followed last; from then on nothing is missed. */
  async open(): Promise<void> {
    const watcher = watch([...this.#folders], {
      ignoreInitial: true,
      depth: 0,
      // The listener waits for a pause of its own.
      atomic: false,
      ignored: (path) => !this.#isSeen(path),
    });
    this.#watcher = watcher;
    watcher.on("all", (_event, path) => this.#onChange(path));
    // Such as too many watches: what can be seen is seen.
    watcher.on("error", (error) => {
      process.emitWarning(`Hot reload cannot watch everything: ${String(error)}`);
    });
    await new Promise<void>((resolve) => void watcher.once("ready", resolve));
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }

  #isSeen(path: string): boolean {
    return this.#folders.has(path) || this.#awaited.has(path) || isWatched(path, this.#watched);
  }
}
