import { type EngineWorkflow, engineWorkflow } from "../engine/index.js";
import { shortPath } from "../loader/load-workflow.js";
import { LONG_LOAD_MS, stillLoading } from "../loader/unfinished-load.js";
import { type CompilerUse, useCompiler } from "../loader/use-compiler.js";
import type { BundleReads } from "../loader/bundle-workflow.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { ServiceDb } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import { deferred } from "../util/deferred.js";
import { newId } from "../util/ids.js";
import { monotonicMs } from "../util/monotonic-ms.js";
import { FileWatch } from "./file-watch.js";
import {
  type CompiledGeneration,
  compileGeneration,
  type GenerationPlace,
  loadGeneration,
} from "./load-generation.js";
import type { ResolvedHotOptions } from "./options.js";
import { Overlay } from "./overlay.js";
import {
  anyChangedAfter,
  changedSince,
  isUnchanged,
  type Stamps,
  stampsOf,
  type WatchedFiles,
  watchedFiles,
} from "./watched-files.js";

/** A change without an event is noticed after so long, milliseconds: not every file system sends events. */
const LOOK_AGAIN_MS = 1_000;
/** The watcher tells of one file at most every 50 milliseconds, and forgets what came in between. */
const LOOK_BEHIND_MS = 60;

export interface SavedCodeSetup extends ResolvedHotOptions {
  /** Measures how long code takes to load. */
  clock: Clock;
}

/** A workflow file as it was saved, loaded. */
export interface SavedGeneration {
  readonly changedFiles: readonly string[];
  elapsedMs(): number;
  readonly workflow: ServiceWorkflow;
  /** On the database of its own that it names. */
  readonly source: EngineWorkflow;
  readonly code: string;
  readonly generation: number;
}

/** What a look at the files has come to. */
export type SavedLook =
  | { readonly type: "detected"; readonly changedFiles: readonly string[] }
  | { readonly type: "failed"; readonly changedFiles: readonly string[]; readonly error: unknown }
  | ({ readonly type: "loaded" } & SavedGeneration);

/** Never rejects. */
export type OnLook = (look: SavedLook) => void | Promise<void>;

/**
 * Watches the files that a workflow is made of, and tells its listeners what they amount to, one generation after the other.
 *
 * H1  Events of the file system only say that it is time to look; what counts is what the compiler reads.
 * H2  Nothing of a generation runs before a pause of `debounceMs`; then the newest files count.
 * H3  The last generation is the present content of the files, as soon as they are left alone.
 * H4  Late events concern files that have been read already: they are neither read again nor reported twice.
 */
export class SavedCode {
  readonly #options: SavedCodeSetup;
  readonly #place: GenerationPlace;
  readonly #compiler: CompilerUse;
  readonly #watch: FileWatch;
  /** Each hears of a look after those before it. */
  readonly #listeners = new Set<OnLook>();
  #latest: SavedGeneration | undefined;
  #watched: WatchedFiles;
  /** Of the files as they were last read, from just before that. */
  #stamps: Stamps = new Map();
  /** Those of the look whose outcome was reported last, or was none. */
  #known: Stamps = new Map();
  /** The code that was last loaded, or is known to run; null when the last look ended in an error, or was refused. */
  #newest: string | null = null;
  #generation = 0;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #behind: NodeJS.Timeout | undefined;
  readonly #sweep: NodeJS.Timeout;
  #looking: Promise<void> | null = null;
  /** The look is over but for the code of the new generation, which runs. */
  #isLoading = false;
  /** Begun with the first change of a burst, for the case that it stays the only one. */
  #ahead: Promise<CompiledGeneration> | null = null;
  /** Something has come that it may not have read. */
  #isAheadStale = false;
  #onChange: () => void = () => {};
  #isClosed = false;

  /**
   * Nothing is watched before `meet` or `load`.
   * @param entry absolute path of the file
   * @throws HOT_OVERLAY_FAILED
   */
  constructor(entry: string, options: SavedCodeSetup) {
    this.#options = options;
    const overlay = new Overlay(options.outDir, options.maxGenerations);
    this.#place = { entry, cwd: options.rootDir, overlay, mark: `external-${newId()}:`, minified: new Map() };
    this.#compiler = useCompiler();
    this.#watched = { files: new Set([entry]), stems: new Set() };
    this.#watch = new FileWatch((path) => {
      if (!isUnchanged(path, this.#stamps)) this.#note(path);
      clearTimeout(this.#behind);
      this.#behind = setTimeout(() => this.#noteMissed(), LOOK_BEHIND_MS).unref();
    });
    this.#sweep = setInterval(() => this.#noteMissed(), LOOK_AGAIN_MS).unref();
  }

  /** The generation that was loaded last. */
  get latest(): SavedGeneration | undefined {
    return this.#latest;
  }

  onLook(listener: OnLook): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads the files once, to know them. A save since the workflow was loaded, if its files are known, is a change like any other.
   */
  async meet({ opts: { workflowHash } }: ServiceWorkflow): Promise<void> {
    const compiled = await this.#compile().catch(() => null);
    const isKnown =
      compiled !== null && (workflowHash === undefined || workflowHash === (await compiled.hash));
    if (isKnown) {
      this.#newest = compiled.code;
      this.#known = this.#stamps;
    } else this.#note(this.#place.entry);
    await this.#watch.open();
  }

  /** Loads the file; its listeners hear what came of it, as of every save from then on. */
  async load(): Promise<void> {
    this.#changed.add(this.#place.entry);
    this.#look();
    await this.#watch.open();
  }

  /** The code is loaded again when its files are saved again, changed or not: a listener could not use it. */
  offerAgain(code: string): void {
    if (this.#newest === code) this.#newest = null;
  }

  /** Stops watching and removes the generations' files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#behind);
    clearInterval(this.#sweep);
    // A module that never ends its work is waited for no longer.
    this.#onChange();
    await Promise.all([this.#watch.close(), this.#looking, this.#ahead?.catch(() => {})]);
    this.#compiler.end();
    this.#place.overlay.remove();
  }

  #note(path: string): void {
    if (this.#isClosed) return;
    this.#changed.add(path);
    this.#onChange();
    this.#compileAhead(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.#options.debounceMs);
  }

  #compileAhead(path: string): void {
    if (this.#looking !== null) return;
    // Whether that helps depends on what is there when the pause is over.
    if (!this.#stamps.has(path)) this.#isAheadStale = true;
    else if (this.#ahead === null && this.#changed.size === 1) {
      this.#isAheadStale = false;
      this.#ahead = this.#compile();
      this.#ahead.catch(() => {});
    }
  }

  #noteMissed(): void {
    if (this.#changed.size > 0 || (this.#looking !== null && !this.#isLoading)) return;
    for (const path of changedSince(this.#stamps)) this.#note(path);
  }

  /** One look at a time; what changes meanwhile is looked at next. */
  #look(): void {
    if (this.#looking !== null || this.#isClosed) return;
    this.#looking = this.#reload().finally(() => {
      this.#looking = null;
      const [missed] = this.#changed.size > 0 ? this.#changed : changedSince(this.#stamps);
      if (missed !== undefined) this.#note(missed);
    });
  }

  async #reload(): Promise<void> {
    const startedAt = monotonicMs();
    const noted = [...this.#changed];
    this.#changed.clear();
    if (this.#changesOf(noted).length === 0) return;
    let changedFiles: string[] | undefined;
    // Of several files the watcher may have reported one so far.
    const notify = () => {
      if (changedFiles !== undefined) return changedFiles;
      changedFiles = this.#changesOf(noted).map((path) => shortPath(path, this.#options.rootDir));
      this.#report({ type: "detected", changedFiles });
      return changedFiles;
    };
    try {
      const compiled = await this.#compileNewest();
      // Touched, but not changed.
      if (compiled.code !== this.#newest) {
        const files = notify();
        const workflow = await this.#load(compiled, files);
        if (workflow === null) {
          // Files changed since are looked at next, with these.
          for (const path of noted) this.#changed.add(path);
          return;
        }
        await this.#offer({
          changedFiles: files,
          elapsedMs: () => monotonicMs() - startedAt,
          workflow,
          source: engineWorkflow(workflow, new ServiceDb(workflow.db).store),
          code: compiled.code,
          generation: this.#generation,
        });
      }
    } catch (error) {
      this.#newest = null;
      this.#report({ type: "failed", changedFiles: notify(), error });
    }
    this.#known = this.#stamps;
  }

  #changesOf(noted: readonly string[]): string[] {
    const reported = noted.filter((path) => !isUnchanged(path, this.#known));
    return [...new Set([...reported, ...changedSince(this.#known)])].sort();
  }

  async #compileNewest(): Promise<CompiledGeneration> {
    const ahead = this.#ahead;
    this.#ahead = null;
    await ahead?.catch(() => {});
    const isNewest = ahead !== null && !this.#isAheadStale && changedSince(this.#stamps).length === 0;
    return isNewest ? ahead : this.#compile();
  }

  /** The newest code whose every file is known to be as it was read. */
  async #compile(): Promise<CompiledGeneration> {
    for (;;) {
      const before = this.#watched;
      const beganAt = Date.now();
      const stamps = stampsOf(before);
      let met: string[] = [];
      const compiling = compileGeneration(this.#place, (reads: BundleReads) => {
        this.#watched = watchedFiles(reads, before.files);
        met = [...this.#watched.files].filter((path) => !stamps.has(path));
        this.#stamps = new Map([...stampsOf(this.#watched), ...stamps]);
        this.#watch.follow(this.#watched);
      });
      await compiling.catch(() => {});
      if (!anyChangedAfter(beganAt, met)) return compiling;
    }
  }

  /** Null when something has changed meanwhile: code may take its time, or wait for ever. */
  async #load(
    compiled: CompiledGeneration,
    changedFiles: readonly string[],
  ): Promise<ServiceWorkflow | null> {
    if (this.#changed.size > 0) return null;
    const { clock, rootDir } = this.#options;
    this.#generation += 1;
    const loading = loadGeneration(this.#place, compiled, this.#generation);
    loading.catch(() => {});
    const overtaken = deferred<null>();
    this.#onChange = () => overtaken.resolve(null);
    this.#isLoading = true;
    const disarm = clock.setDelay(LONG_LOAD_MS, () => {
      const shown = shortPath(this.#place.entry, rootDir);
      const error = stillLoading(shown, LONG_LOAD_MS, "Once it has, the run continues with it.");
      this.#report({ type: "failed", changedFiles, error });
    });
    try {
      return await Promise.race([loading, overtaken.promise]);
    } finally {
      disarm();
      this.#isLoading = false;
    }
  }

  async #offer(generation: SavedGeneration): Promise<void> {
    this.#latest = generation;
    this.#newest = generation.code;
    for (const listener of this.#listeners) {
      if (!this.#isClosed) await listener({ type: "loaded", ...generation });
    }
  }

  #report(look: SavedLook): void {
    if (this.#isClosed) return;
    for (const listener of this.#listeners) void listener(look);
  }
}
