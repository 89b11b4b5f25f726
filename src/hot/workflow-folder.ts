import type { ServiceWorkflow } from "../model/workflow.js";
import { checkTrustedCode } from "../store/index.js";
import type { HotReload } from "./hot-reload.js";
import type { SavedCodeSetup } from "./saved-code.js";
import { WatchedWorkflow } from "./watched-workflow.js";

/** How often it is looked which files there are, milliseconds. */
const LOOK_MS = 300;

/** A file of the folder. */
export interface FolderFile {
  /** Its name without the ending. */
  name: string;
  /** Absolute. */
  path: string;
}

/** A file of the folder, and what it gives now. */
export interface FolderEntry {
  key: string;
  /** Absolute path of the file. */
  path: string;
  /** The newest that could be loaded. */
  workflow: ServiceWorkflow | undefined;
  /** Why the file as it is gives none; undefined when it does. */
  error: unknown;
}

export interface WorkflowFolderOptions extends SavedCodeSetup {
  /** The files that there are. */
  list(): FolderFile[];
}

/**
 * The workflows of a folder while its files are saved, made, renamed and removed.
 *
 * Invariant: after each call of a listener `entries` is what the listener has to show.
 */
export class WorkflowFolder {
  readonly #options: WorkflowFolderOptions;
  readonly #files = new Map<string, WatchedWorkflow | Refused>();
  readonly #listeners = new Set<(key: string) => void>();
  /** By generations that a file gave, that file. */
  readonly #origins = new WeakMap<ServiceWorkflow, WatchedWorkflow>();
  /** An editor may save by taking a file away for a moment: only what two looks agree on counts. */
  #seen = "";
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: WorkflowFolderOptions) {
    this.#options = options;
  }

  /** Resolves once every file that is there has been loaded, or could not be. @throws HOT_OVERLAY_FAILED */
  static async open(options: WorkflowFolderOptions): Promise<WorkflowFolder> {
    const folder = new WorkflowFolder(options);
    const files = options.list();
    folder.#seen = namesOf(files);
    await folder.#adopt(files);
    folder.#lookSoon();
    return folder;
  }

  /** By key. */
  entries(): FolderEntry[] {
    return [...this.#files]
      .map(([key, file]) => ({ key, path: file.path, workflow: file.workflow, error: file.error }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** @param listener called with the key of each file that is new, gone, or gives something else */
  onChange(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Newer code for a run of a workflow; undefined for one that no file of the folder gave. */
  follow(workflow: ServiceWorkflow): HotReload | undefined {
    return this.#origins.get(workflow)?.follow(workflow);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#files.values()].map((file) => file.close()));
  }

  #lookSoon(): void {
    this.#timer = setTimeout(() => {
      // A folder that cannot be read now is looked at again: until then its files are those that it had.
      this.#looking = this.#look()
        .catch(() => {})
        .finally(() => {
          if (!this.#isClosed) this.#lookSoon();
        });
    }, LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    const files = this.#options.list();
    const names = namesOf(files);
    const isSettled = names === this.#seen;
    this.#seen = names;
    if (isSettled) await this.#adopt(files);
  }

  async #adopt(files: readonly FolderFile[]): Promise<void> {
    const paths = new Map<string, string>();
    for (const { name, path } of files) if (!paths.has(name)) paths.set(name, path);
    for (const [key, file] of this.#files) {
      if (paths.get(key) === file.path) continue;
      this.#files.delete(key);
      await file.close();
      this.#tell(key);
    }
    const added = [...paths].filter(([key]) => !this.#files.has(key));
    await Promise.all(added.map(([key, path]) => this.#open(key, path)));
  }

  async #open(key: string, path: string): Promise<void> {
    try {
      checkTrustedCode(path);
    } catch (error) {
      this.#files.set(key, new Refused(path, error));
      return this.#tell(key);
    }
    const file = await WatchedWorkflow.open(path, this.#options, () => this.#hear(key, file));
    this.#files.set(key, file);
    this.#hear(key, file);
  }

  #hear(key: string, file: WatchedWorkflow): void {
    if (file.workflow !== undefined) this.#origins.set(file.workflow, file);
    if (this.#files.get(key) === file) this.#tell(key);
  }

  #tell(key: string): void {
    if (this.#isClosed) return;
    for (const listener of this.#listeners) listener(key);
  }
}

/** A file that no code is loaded from. */
class Refused {
  readonly path: string;
  readonly error: unknown;
  readonly workflow = undefined;

  constructor(path: string, error: unknown) {
    this.path = path;
    this.error = error;
  }

  async close(): Promise<void> {}
}

function namesOf(files: readonly FolderFile[]): string {
  return files.map(({ path }) => path).join("\n");
}
