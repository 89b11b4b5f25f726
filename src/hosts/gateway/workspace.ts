import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  DATABASE_FILE,
  fileIdentity,
  openExisting,
  realPathOf,
  ServiceDb,
  type Store,
} from "../../store/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { BrokenWorkflow } from "../../client/gateway-descriptions.js";
import { findRunIn, HostedRuns, type SavedWorkflows, showWaits } from "../../operations/index.js";
import { type Clock, systemClock } from "../../util/clock.js";
import type { CheckedRegistration } from "./check-registration.js";
import { markOf, type Registered, type RunMark, workflowOf } from "./registered-workflow.js";

/** A run that a request names, where it is kept, and its workflow where that is registered. */
export interface GatewayRun {
  run: RunRow;
  db: ServiceDb;
  registered: Registered | undefined;
}

export interface GatewayWorkspaceOptions {
  /** Absolute. */
  root: string;
  /** @default the machine's clock, and for runs that of their database */
  clock?: Clock;
  maxActiveRuns?: number | undefined;
  maxActiveTasks?: number | undefined;
  saved?: SavedWorkflows | undefined;
  onError(runId: string | null, error: Error): void;
}

/** @throws RUN_NOT_RESUMABLE when the run's workflow is not registered */
export function requireRegistered({ run, registered }: GatewayRun): Registered {
  if (registered !== undefined) return registered;
  throw new ServiceError(
    "RUN_NOT_RESUMABLE",
    `Run ${run.runId} belongs to the workflow ${run.workflowName}, which is not registered here.`,
    { details: { runId: run.runId, workflowName: run.workflowName } },
  );
}

function notLoaded(broken: BrokenWorkflow): ServiceError {
  const { key, file, isWatched, error } = broken;
  const until = isWatched ? "it is mended" : "it is mended and the gateway started again";
  return new ServiceError(
    "WORKFLOW_LOAD_FAILED",
    `The gateway could not load ${file}, and starts no workflow ${JSON.stringify(key)} until ${until}: ${error.summary}`,
    { details: { ...broken } },
  );
}

/** What a watched file gives. */
export interface SavedRegistration {
  workflow: ServiceWorkflow | undefined;
  broken: BrokenWorkflow | undefined;
  options: CheckedRegistration;
}

/** What a watched file gives has changed. */
export interface WorkflowsChange {
  key: string;
  isNewDatabase: boolean;
}

/** The registered workflows of one gateway, their databases and that of its workspace, and the runs that it drives. */
export class GatewayWorkspace {
  readonly root: string;
  /** Of the gateway itself. */
  readonly clock: Clock;
  readonly hosted: HostedRuns;
  readonly #given: Clock | undefined;
  readonly #registered = new Map<string, Registered>();
  readonly #broken = new Map<string, BrokenWorkflow>();
  readonly #listeners = new Set<(change: WorkflowsChange) => void>();
  /** By file: workflows of one file have a store each. */
  readonly #databases = new Map<string | Store, ServiceDb>();
  #isStarted = false;

  constructor({ root, clock, maxActiveRuns, maxActiveTasks, saved, onError }: GatewayWorkspaceOptions) {
    this.root = root;
    this.clock = clock ?? systemClock;
    this.#given = clock;
    this.hosted = new HostedRuns({
      adopts: true,
      ...(maxActiveRuns !== undefined && { maxActiveRuns }),
      ...(maxActiveTasks !== undefined && { maxActiveTasks }),
      ...(saved !== undefined && { saved }),
      workflowFor: async (run, store) => this.workflowOf(markOf(run), store)?.workflow,
      onError,
    });
  }

  /** @throws WORKFLOW_EXISTS */
  add(key: string, workflow: ServiceWorkflow, options: CheckedRegistration): void {
    if (this.#registered.has(key)) {
      throw new ServiceError("WORKFLOW_EXISTS", `A workflow is registered as ${key} already.`, {
        details: { key },
      });
    }
    this.#put(key, workflow, options);
  }

  /** A file that gives no workflow, unless a workflow of the same key is there. */
  addBroken(broken: BrokenWorkflow): void {
    if (!this.#registered.has(broken.key)) this.#broken.set(broken.key, broken);
  }

  /**
   * What a watched file gives now, at any time: the newest workflow, for its runs, and what is wrong with the file, for those who
   * would start one. With neither the key is gone.
   */
  put(key: string, { workflow, broken, options }: SavedRegistration): void {
    if (workflow === undefined) this.#registered.delete(key);
    const isNew = workflow !== undefined && this.#put(key, workflow, options);
    if (broken === undefined) this.#broken.delete(key);
    else this.#broken.set(key, broken);
    for (const listener of this.#listeners) listener({ key, isNewDatabase: isNew });
  }

  onPut(listener: (change: WorkflowsChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns whether its database is a new one */
  #put(key: string, workflow: ServiceWorkflow, options: CheckedRegistration): boolean {
    const db = new ServiceDb(workflow.db);
    this.#registered.set(key, { key, workflow, db, options });
    this.#broken.delete(key);
    const database = fileIdentity(db.store);
    if (this.#databases.has(database)) return false;
    this.#databases.set(database, db);
    if (this.#isStarted) {
      showWaits(db.store);
      this.hosted.supervise(db.store);
    }
    return true;
  }

  /** By key. */
  broken(): BrokenWorkflow[] {
    return [...this.#broken.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Opens all databases, the workspace's own among them if it has one. */
  async open(): Promise<void> {
    const own = join(this.root, DATABASE_FILE);
    const database = realPathOf(own);
    if (existsSync(own) && !this.#databases.has(database)) {
      this.#databases.set(database, new ServiceDb(openExisting(own)));
    }
    for (const { store } of this.databases()) {
      await store.prepare();
      showWaits(store);
    }
  }

  /** What time it is for the runs of a database. */
  clockOf({ clock }: Store): Clock {
    return this.#given ?? clock;
  }

  /** Looks after the runs of all databases from now on. */
  start(): void {
    this.#isStarted = true;
    for (const { store } of this.databases()) this.hosted.supervise(store);
  }

  /** In the order of their registration. */
  workflows(): Registered[] {
    return [...this.#registered.values()];
  }

  /** What a new run is started of. @throws as workflow; WORKFLOW_LOAD_FAILED for a file that was saved broken */
  startable(key: string): Registered {
    const broken = this.#broken.get(key);
    if (broken !== undefined) throw notLoaded(broken);
    return this.workflow(key);
  }

  /** @throws WORKFLOW_NOT_FOUND, WORKFLOW_LOAD_FAILED for one whose file gave none */
  workflow(key: string): Registered {
    const found = this.#registered.get(key);
    if (found !== undefined) return found;
    const broken = this.#broken.get(key);
    if (broken !== undefined) throw notLoaded(broken);
    throw new ServiceError("WORKFLOW_NOT_FOUND", `No workflow is registered as ${JSON.stringify(key)}.`, {
      details: { key },
    });
  }

  /** One for each database, also where several workflows share it. */
  databases(): ServiceDb[] {
    return [...this.#databases.values()];
  }

  /** The registered workflows of a database, by any path that each of them reaches it. */
  workflowsOf(store: Store): Registered[] {
    const database = fileIdentity(store);
    return this.workflows().filter(({ db }) => fileIdentity(db.store) === database);
  }

  /** Undefined for a run that is not known to be of a registered workflow. */
  workflowOf(run: RunMark, store: Store): Registered | undefined {
    return workflowOf(run, this.workflowsOf(store));
  }

  async lookUp(runId: string): Promise<GatewayRun | undefined> {
    for (const db of this.databases()) {
      const run = await db.store.getRun(runId);
      if (run !== undefined) return { run, db, registered: this.workflowOf(markOf(run), db.store) };
    }
    return undefined;
  }

  /** @throws RUN_NOT_FOUND */
  async findRun(runId: string): Promise<GatewayRun> {
    const found = await this.lookUp(runId);
    if (found !== undefined) return found;
    throw new ServiceError("RUN_NOT_FOUND", `This gateway knows no run ${JSON.stringify(runId)}.`, {
      details: { runId },
    });
  }

  /** The run that a person means, in all databases. @throws as findRun */
  async meantRun(reference: string): Promise<GatewayRun> {
    const stores = this.databases().map(({ store }) => store);
    const { run } = await findRunIn(stores, reference);
    return this.findRun(run.runId);
  }

  /** Releases all runs, which stay resumable. */
  close(): Promise<void> {
    return this.hosted.close();
  }
}
