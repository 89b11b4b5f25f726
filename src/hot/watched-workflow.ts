import { ServiceError } from "../errors/service-error.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { ServiceDb } from "../store/index.js";
import { FirstCode } from "./first-code.js";
import { HotReload } from "./hot-reload.js";
import { SavedCode, type SavedCodeSetup, type SavedGeneration } from "./saved-code.js";

/** A workflow file while it is watched: the newest workflow that it gave, and what is wrong with it now. */
export class WatchedWorkflow {
  readonly path: string;
  readonly #saved: SavedCode;
  readonly #onChange: () => void;
  #first: FirstCode | undefined;
  #workflow: ServiceWorkflow | undefined;
  #error: unknown;

  private constructor(path: string, options: SavedCodeSetup, onChange: () => void) {
    this.path = path;
    this.#onChange = onChange;
    this.#saved = new SavedCode(path, options);
  }

  /**
   * Resolves once it is known for the first time what the file gives.
   * @param path absolute
   * @param onChange called with every save after that
   * @throws HOT_OVERLAY_FAILED
   */
  static async open(path: string, options: SavedCodeSetup, onChange: () => void): Promise<WatchedWorkflow> {
    const watched = new WatchedWorkflow(path, options, onChange);
    await watched.#begin();
    return watched;
  }

  /** The newest one that could be loaded; undefined before there was any. */
  get workflow(): ServiceWorkflow | undefined {
    return this.#workflow;
  }

  /** Why the file as it is gives no workflow; undefined when it does. */
  get error(): unknown {
    return this.#error;
  }

  /** Newer code for a run. @param workflow one that this file gave */
  follow(workflow: ServiceWorkflow): HotReload {
    return HotReload.follow(workflow, this.#saved);
  }

  close(): Promise<void> {
    return this.#saved.close();
  }

  #begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      let isKnown = false;
      this.#saved.onLook(async (look) => {
        if (look.type === "detected") return;
        this.#error = look.type === "failed" ? causeOf(look.error) : await this.#take(look);
        if (isKnown) this.#onChange();
        isKnown = true;
        resolve();
      });
      this.#saved.load().catch(reject);
    });
  }

  /** The first listener of all: runs that follow find the database of the newest code open. @returns what is wrong */
  async #take({ workflow }: SavedGeneration): Promise<unknown> {
    try {
      if (!(await this.#sharesDatabase(workflow))) this.#first = new FirstCode(workflow);
      await new ServiceDb(workflow.db).store.prepare();
    } catch (error) {
      return error;
    }
    this.#workflow = workflow;
    return undefined;
  }

  /** False for the first code, and for code whose tables are others: it has a connection of its own. */
  async #sharesDatabase(workflow: ServiceWorkflow): Promise<boolean> {
    if (this.#first === undefined) return false;
    try {
      this.#first.refuseUnsafe(workflow);
      const settle = await this.#first.lendTo(workflow);
      settle(true);
      return true;
    } catch {
      return false;
    }
  }
}

/** The loader's own error: that hot reload asks for a workflow is nothing that the author of a file has to know. */
function causeOf(error: unknown): unknown {
  return ServiceError.is(error, "HOT_RELOAD_INVALID_MODULE") ? error.cause : error;
}
