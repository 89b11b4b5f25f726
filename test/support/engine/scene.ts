import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { EngineServices } from "../../../src/engine/ports.js";
import {
  type AttemptRow,
  createService,
  type CreateServiceOptions,
  type NodeRow,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type SchemaMap,
  type ServiceApi,
  ServiceDb,
  type ServiceWorkflow,
} from "../../../src/index.js";
import { runWith } from "../../../src/operations/drive/run-with.js";
import { engineServices } from "../../../src/operations/request/target.js";
import type { Store } from "../../../src/store/contract.js";
import { VirtualTime } from "./virtual-time.js";
import { temporaryFolder } from "../temporary-folder.js";

/** One workflow module on a database file of its own, driven in virtual time. */
export interface Scene<S extends SchemaMap> {
  readonly api: ServiceApi<S>;
  readonly path: string;
  readonly time: VirtualTime;
  readonly store: Store;
  readonly services: EngineServices;
  /** Drives a run; its id is `run` unless the options say otherwise. Time moves only by `time`. */
  drive(workflow: ServiceWorkflow, options?: RunOptions): Promise<RunResult>;
  /** As drive, and lets pass whatever time the run needs. */
  run(workflow: ServiceWorkflow, options?: RunOptions): Promise<RunResult>;
  /** As run, of a run that exists. */
  resume(workflow: ServiceWorkflow, options?: RunOptions): Promise<RunResult>;
  /** Events of a run, or those of one type, in order. */
  events<T extends RunEvent["type"]>(type: T, runId?: string): Promise<Extract<RunEvent, { type: T }>[]>;
  eventTypes(runId?: string): Promise<string[]>;
  attempts(nodeId: string, iteration?: number): Promise<AttemptRow[]>;
  node(nodeId: string, iteration?: number): Promise<NodeRow | undefined>;
  /** Number of rows about runs in the database file, of all tables together. */
  rowCount(): number;
}

/** Tables that describe the database itself, and those of what is remembered beyond runs. */
const DESCRIPTIVE =
  /^(_service_migrations|_service_output_tables|_service_output_columns|_service_memory_.*|sqlite_.*)$/;

export function openScene<const S extends SchemaMap>(
  schemas: S,
  options: CreateServiceOptions = {},
): Scene<S> {
  const path = options.dbPath ?? join(temporaryFolder(), "service.db");
  const api = createService(schemas, { ...options, dbPath: path });
  const { store } = new ServiceDb(api.db);
  onTestFinished(async () => {
    await store.close();
  });
  const time = new VirtualTime();
  const services = engineServices(store, { clock: time });
  const events = async (runId: string) => {
    await store.prepare();
    return (await store.listEvents(runId, { limit: 1_000_000 })).map(({ event }) => event);
  };

  const scene: Scene<S> = {
    api,
    path,
    time,
    store,
    services,
    async drive(workflow, given = {}) {
      await store.prepare();
      return runWith(services, workflow, { runId: "run", input: {}, ...given });
    },
    run: (workflow, given) => time.until(scene.drive(workflow, given)),
    resume: (workflow, given) => scene.run(workflow, { ...given, resume: true }),
    async events<T extends RunEvent["type"]>(type: T, runId = "run") {
      return (await events(runId)).filter(
        (event): event is Extract<RunEvent, { type: T }> => event.type === type,
      );
    },
    eventTypes: async (runId = "run") => (await events(runId)).map(({ type }) => type),
    attempts: async (nodeId, iteration = 0) => store.listAttempts("run", nodeId, iteration),
    node: async (nodeId, iteration = 0) =>
      (await store.listNodes("run")).find((row) => row.nodeId === nodeId && row.iteration === iteration),
    rowCount() {
      if (!existsSync(path)) return 0;
      const db = new Database(path, { readonly: true });
      try {
        const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
        return (tables as string[])
          .filter((name) => !DESCRIPTIVE.test(name))
          .map((name) => db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number)
          .reduce((sum, count) => sum + count, 0);
      } finally {
        db.close();
      }
    },
  };
  return scene;
}
