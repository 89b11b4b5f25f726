import { hostname } from "node:os";
import { codeName, type EngineWorkflow, engineWorkflow } from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import type { WorkerNews } from "../fleet/fleet-worker.js";
import { isQueueName, QUEUE_NAME_RULE } from "../model/queue-name.js";
import type { RunRow } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { fileIdentity, type Store } from "../store/index.js";
import { engineServices, storeOf } from "./request/target.js";

/** How `runWorker` takes work. */
export interface WorkerOptions {
  /** Fires: nothing more is taken, and what was taken is finished. */
  signal: AbortSignal;
  /** Fires: what was taken and is not finished is given back, and starts again elsewhere. @default never */
  giveBack?: AbortSignal;
  /** The queues that it serves: names of the prop `queue` of Task and Workflow. @default ["default"] */
  queues?: readonly string[];
  /** Tasks executed at the same time, of each database. As many runs are driven besides, with `drive`. @default 4 */
  concurrency?: number;
  /**
   * It also drives runs that no process drives, as `superviseRuns` does: those whose code is the same as its own, and
   * no other. Once the signal fires they are released, and can be resumed elsewhere. @default true
   */
  drive?: boolean;
  /** The name that lists show. @default the machine's name */
  name?: string;
  /** From now on lists show it, and it is given tasks: once for each database of its workflows. */
  onReady?(): void;
  /** A task begins here. */
  onBegin?(task: WorkerTask): void;
  /** A task has ended here, whatever came of it. */
  onEnd?(task: WorkerTask): void;
}

/** A task that a worker executes. */
export type WorkerTask = Omit<WorkerNews, "type">;

const RULES = {
  signal: rules.required(rules.abortSignal),
  giveBack: rules.abortSignal,
  queues: rules.withDefault(rules.checked(`names of queues, each ${QUEUE_NAME_RULE}`, areQueues), [
    "default",
  ]),
  concurrency: rules.withDefault(rules.positiveInteger, 4),
  drive: rules.withDefault(rules.flag, true),
  name: rules.name,
  onReady: rules.callback,
  onBegin: rules.callback,
  onEnd: rules.callback,
} satisfies rules.OptionRules<WorkerOptions>;

interface Served {
  store: Store;
  workflows: Map<string, { name: string; workflow: EngineWorkflow; service: ServiceWorkflow }>;
}

/**
 * Executes tasks of these workflows' runs for the processes that drive them: those that name one of its queues. It
 * takes only work whose code is the same as its own, and looks after their runs as well. Until the signal
 * fires and everything that was taken is done.
 *
 * @param workflows by the name that they give `<Workflow>`; their databases are Postgres servers
 * @throws INVALID_INPUT, DB_DRIVER_MISSING without the package graphile-worker; no error of a task ends it
 * @example
 * const stop = new AbortController();
 * process.once("SIGTERM", () => stop.abort());
 * await runWorker({ report }, { queues: ["large"], signal: stop.signal });
 */
export async function runWorker(
  workflows: Readonly<Record<string, ServiceWorkflow>>,
  options: WorkerOptions,
): Promise<void> {
  const checked = checkOptions("runWorker", options, RULES);
  const { signal, giveBack = new AbortController().signal, queues, concurrency, drive } = checked;
  const { name = hostname(), onReady, onBegin, onEnd } = checked;
  const { FleetWorker } = await import("../fleet/fleet-worker.js");
  const served = await servedBy(workflows);
  const workers = served.map(({ store, workflows: own }) => {
    const { fleet } = store;
    if (fleet === undefined) throw noFleet(store);
    return new FleetWorker({
      ...{ store, fleet, clock: store.clock, services: engineServices(store), workflows: own },
      ...{ name, queues, concurrency, drive, signal, giveBack },
      onReady: () => onReady?.(),
      onNews: ({ type, ...task }) => (type === "began" ? onBegin : onEnd)?.(task),
    });
  });
  const driving = drive ? served.map((each) => driveRuns(each, { signal, concurrency })) : [];
  await Promise.all([...workers.map((worker) => worker.run()), ...driving]);
}

function areQueues(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isQueueName);
}

/** Runs of other code are left to processes that have it. */
async function driveRuns(
  { store, workflows }: Served,
  { signal, concurrency }: { signal: AbortSignal; concurrency: number },
): Promise<void> {
  const { superviseStore } = await import("./supervise/supervise-store.js");
  const sameCode = ({ workflowHash, workflowName }: RunRow) => codeName(workflowHash, workflowName);
  await superviseStore(store, {
    ...{ signal, maxConcurrent: concurrency },
    workflowFor: async (run) => workflows.get(sameCode(run))?.service,
    codeOf: sameCode,
  });
}

async function servedBy(workflows: Readonly<Record<string, ServiceWorkflow>>): Promise<Served[]> {
  const byStore = new Map<string | Store, Served>();
  for (const [name, workflow] of Object.entries(workflows)) {
    const store = await storeOf(workflow);
    const served = byStore.get(fileIdentity(store)) ?? { store, workflows: new Map() };
    byStore.set(fileIdentity(store), served);
    const code = codeName(workflow.opts.workflowHash ?? null, name);
    served.workflows.set(code, { name, workflow: engineWorkflow(workflow, store), service: workflow });
  }
  if (byStore.size === 0) refuseOption("workflows", "workflows by their names, as { report }", workflows);
  return [...byStore.values()];
}

function noFleet({ path, dialect }: Store): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `Workers need a Postgres server that they share with the processes that drive runs; the database ${path ?? dialect} is none. Tasks with a queue are executed there by the process that drives their run.`,
    { details: { path: path ?? null } },
  );
}
