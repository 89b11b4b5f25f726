import { ServiceError } from "../../errors/service-error.js";
import { loadWorkflow } from "../../loader/load-workflow.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import {
  type CodeCheck,
  codeCheck,
  createWorkflowFiles,
  HostedRuns,
  showWaits,
  takenByOther,
  type WorkflowFiles,
} from "../../operations/index.js";
import { fileIdentity, ServiceDb, type Store } from "../../store/index.js";
import type { Answering } from "../http/answers.js";
import { findWorkflowFile } from "./workflow-root.js";

/** A run that a request names, and where it is kept. */
export interface FoundRun {
  run: RunRow;
  db: ServiceDb;
}

export interface ServedRunsOptions {
  db: ServiceDb | undefined;
  rootDir: string | undefined;
  maxActiveRuns: number | undefined;
  maxActiveTasks: number | undefined;
  onError(runId: string | null, error: Error): void;
}

/** The runs and workflows of one server: of its `db`, and of the workflow files that it was asked to run. */
export class ServedRuns {
  readonly hosted: HostedRuns;
  readonly db: ServiceDb | undefined;
  readonly #rootDir: string | undefined;
  readonly #files: WorkflowFiles;
  readonly #databases = new Map<string | Store, ServiceDb>();

  constructor({ db, rootDir, maxActiveRuns, maxActiveTasks, onError }: ServedRunsOptions) {
    this.db = db;
    this.#rootDir = rootDir;
    this.#files = createWorkflowFiles(async (path, calls) => {
      const { workflow } = await loadWorkflow(path, { cwd: rootDir ?? process.cwd(), ...calls });
      return workflow;
    });
    if (db !== undefined) this.#serve(db);
    this.hosted = new HostedRuns({
      workflowFor: async (run, store) => this.#loadFor(run, await codeCheck(store, run)),
      codeOf: this.#files.codeOf,
      ...(maxActiveRuns !== undefined && { maxActiveRuns }),
      ...(maxActiveTasks !== undefined && { maxActiveTasks }),
      onError,
    });
  }

  /** @throws WORKFLOW_PATH_OUTSIDE_ROOT, WORKFLOW_NOT_FOUND; as loadWorkflow */
  async load(workflowPath: string, check?: CodeCheck): Promise<{ workflow: ServiceWorkflow; path: string }> {
    const path = findWorkflowFile(workflowPath, this.#rootDir);
    const workflow = await this.#files.workflowAt(path, check);
    this.#serve(new ServiceDb(workflow.db));
    return { workflow, path };
  }

  async lookUp(runId: string): Promise<FoundRun | undefined> {
    for (const db of this.#databases.values()) {
      await db.store.prepare();
      const run = await db.store.getRun(runId);
      if (run !== undefined) return { run, db };
    }
    return undefined;
  }

  /** @throws RUN_NOT_FOUND */
  async find(runId: string): Promise<FoundRun> {
    const found = await this.lookUp(runId);
    if (found !== undefined) return found;
    throw new ServiceError("RUN_NOT_FOUND", `This server knows no run ${JSON.stringify(runId)}.`, {
      details: { runId },
    });
  }

  /**
   * Runs of all databases are found by their ids alone.
   * @throws INVALID_INPUT for the id of a run in another database than the workflow's
   */
  async refuseTaken(runId: string, workflow: ServiceWorkflow): Promise<void> {
    const found = await this.lookUp(runId);
    if (found === undefined) return;
    const { store } = new ServiceDb(workflow.db);
    if (fileIdentity(found.db.store) !== fileIdentity(store)) throw takenByOther(found.run);
  }

  /**
   * A run together with its workflow, for what drives it or has to know its schemas.
   * @throws RUN_NOT_FOUND; RUN_NOT_RESUMABLE when it does not say which file it belongs to; as load
   */
  async findWithWorkflow(
    runId: string,
    options: { acceptWorkflowChange?: boolean } = {},
  ): Promise<FoundRun & { workflow: ServiceWorkflow }> {
    const found = await this.find(runId);
    const { run, db } = found;
    const workflow = await this.#loadFor(run, await codeCheck(db.store, run, options));
    if (workflow === undefined) {
      throw new ServiceError(
        "RUN_NOT_RESUMABLE",
        `Run ${runId} was started by a program and does not say which file its workflow is in.`,
        { details: { runId } },
      );
    }
    return { ...found, workflow };
  }

  /**
   * Where answers to a run go. One that a program has started without saying where its
   * workflow is can be answered; only that program continues with it.
   * @throws RUN_NOT_FOUND
   */
  async answering(runId: string): Promise<Answering> {
    const { run, db } = await this.find(runId);
    if (run.workflowPath === null) return { target: db, answered: () => {} };
    return { target: db, answered: () => this.hosted.wake(db.store, runId) };
  }

  async close(): Promise<void> {
    await this.hosted.close();
  }

  /** Those that it has been given, and those of the workflows that it has loaded. */
  databases(): Iterable<ServiceDb> {
    return this.#databases.values();
  }

  #serve(db: ServiceDb): void {
    this.#databases.set(fileIdentity(db.store), db);
    showWaits(db.store);
  }

  async #loadFor({ workflowPath }: RunRow, check: CodeCheck): Promise<ServiceWorkflow | undefined> {
    return workflowPath === null ? undefined : (await this.load(workflowPath, check)).workflow;
  }
}
