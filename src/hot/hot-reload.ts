import type { CodeUpdate, CodeUpdates } from "../engine/index.js";
import { ensureError } from "../errors/ensure-error.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { FirstCode } from "./first-code.js";
import { SavedCode, type SavedCodeSetup, type SavedGeneration, type SavedLook } from "./saved-code.js";

/** Offers newer code to the process that drives a run, one generation after the other. */
export class HotReload implements CodeUpdates {
  readonly #saved: SavedCode;
  readonly #cancelUnmounted: boolean;
  readonly #first: FirstCode;
  readonly #listeners = new Set<() => void>();
  /** By offers that the run has not tried yet: what to do when it never will. */
  readonly #untried = new Set<(isAdopted: boolean) => void>();
  readonly #end: () => Promise<void> | void;
  #current: ServiceWorkflow;
  #updates: CodeUpdate[] = [];
  /** Offers are made one after the other. */
  #offering = Promise.resolve();
  #isClosed = false;

  private constructor(
    workflow: ServiceWorkflow,
    { saved, cancelUnmounted, isOwn }: { saved: SavedCode; cancelUnmounted: boolean; isOwn: boolean },
  ) {
    this.#saved = saved;
    this.#cancelUnmounted = cancelUnmounted;
    this.#first = new FirstCode(workflow);
    this.#current = workflow;
    const forget = saved.onLook((look) => this.#hear(look));
    this.#end = isOwn ? () => saved.close() : forget;
  }

  /**
   * Watches the files for one run alone.
   * @param entry absolute path of the file that the workflow is the default export of
   * @throws HOT_OVERLAY_FAILED
   */
  static async open(workflow: ServiceWorkflow, entry: string, options: SavedCodeSetup): Promise<HotReload> {
    const saved = new SavedCode(entry, options);
    const { cancelUnmounted } = options;
    const hot = new HotReload(workflow, { saved, cancelUnmounted, isOwn: true });
    await saved.meet(workflow);
    return hot;
  }

  /** Shares with other runs what is watched already. @param workflow a generation of it */
  static follow(workflow: ServiceWorkflow, saved: SavedCode): HotReload {
    const hot = new HotReload(workflow, { saved, cancelUnmounted: false, isOwn: false });
    const { latest } = saved;
    if (latest !== undefined && latest.workflow !== workflow) void hot.#hear({ type: "loaded", ...latest });
    return hot;
  }

  /** The newest workflow that a run continues with. */
  get current(): ServiceWorkflow {
    return this.#current;
  }

  take(): CodeUpdate[] {
    const updates = this.#updates;
    this.#updates = [];
    return updates;
  }

  get hasNews(): boolean {
    return this.#updates.length > 0;
  }

  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.hasNews) listener();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
    for (const settle of this.#untried) settle(false);
  }

  #hear(look: SavedLook): void | Promise<void> {
    if (look.type !== "loaded") return this.#post(look);
    this.#offering = this.#offering.then(() => this.#offer(look));
    return this.#offering;
  }

  /** Never rejects. */
  async #offer({ workflow, source, code, ...look }: SavedGeneration): Promise<void> {
    const { changedFiles, elapsedMs, generation } = look;
    try {
      this.#first.refuseUnsafe(workflow);
    } catch (thrown) {
      this.#saved.offerAgain(code);
      return this.#post({ type: "unsafe", changedFiles, error: ensureError(thrown) });
    }
    let settle: (isAdopted: boolean) => void;
    try {
      settle = await this.#first.lendTo(workflow);
    } catch (error) {
      this.#saved.offerAgain(code);
      return this.#post({ type: "failed", changedFiles, error });
    }
    if (this.#isClosed) return settle(false);
    this.#untried.add(settle);
    this.#post({
      type: "loaded",
      changedFiles,
      elapsedMs,
      generation,
      workflow: source,
      cancelUnmounted: this.#cancelUnmounted,
      tried: (isAdopted) => {
        this.#untried.delete(settle);
        settle(isAdopted);
        if (isAdopted) this.#current = workflow;
        // Saved again it is tried again.
        else this.#saved.offerAgain(code);
      },
    });
  }

  #post(update: CodeUpdate): void {
    if (this.#isClosed) return;
    this.#updates.push(update);
    for (const listener of this.#listeners) listener();
  }
}
