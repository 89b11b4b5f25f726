import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { loadWorkflow } from "../../../src/loader/load-workflow.js";
import {
  type HotReloadOptions,
  type NodeRow,
  type RunEvent,
  type RunOptions,
  type RunResult,
  runWorkflow,
  ServiceDb,
  type ServiceWorkflow,
} from "../../../src/index.js";
import { deferred } from "../../../src/util/deferred.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** Starts of a workflow file; the task `hold` runs until the test lets it go. */
export const HEAD = `import { createService } from "treadle";
import { z } from "zod";
const row = () => z.object({ text: z.string().min(1) });
`;
const HOLD = `async (_args, { signal }) => {
  const { held } = globalThis.__hot;
  held.started();
  await Promise.race([held.promise, new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))]);
  return { text: "held" };
}`;

export interface Parts {
  /** Before the workflow. */
  imports?: string;
  /** @default one output `out` */
  schemas?: string;
  options?: string;
  before?: string;
  after?: string;
  /** Stands in the build function. */
  build?: string;
  /** @default the task that the test lets go */
  held?: string;
}

/** A workflow whose task \`hold\` stands between others. */
export function flow({
  imports = "",
  schemas = "{ out: row() }",
  options = "{}",
  before = "",
  after = "",
  build = "",
  held = `<Task id="hold" output={outputs.out}>{${HOLD}}</Task>`,
}: Parts = {}): string {
  return `${HEAD}${imports}
const { Workflow, Task, Sequence, Parallel, Approval, service, outputs, useCtx } = createService(${schemas}, ${options});
export default service((ctx) => {
  ${build}
  return (
    <Workflow name="hot">
      <Sequence>
        ${before}
        ${held}
        ${after}
      </Sequence>
    </Workflow>
  );
});
`;
}

/** A task that returns a text. */
export const task = (id: string, text: string) =>
  `<Task id="${id}" output={outputs.out}>{() => ({ text: ${text} })}</Task>`;

export interface HotScene {
  readonly folder: string;
  readonly workflow: ServiceWorkflow;
  /** Saves a file as an editor does that writes in place. */
  save(name: string, text: string): void;
  /** Begins the run; resolves once \`hold\` runs. */
  start(hot?: true | HotReloadOptions, options?: RunOptions): Promise<void>;
  /** The next event of a type that was not returned yet. */
  next<T extends RunEvent["type"]>(type: T): Promise<Of<T>>;
  /** Events so far. */
  all<T extends RunEvent["type"]>(type: T): Of<T>[];
  /** Lets \`hold\` go and waits for the end. */
  finish(): Promise<RunResult>;
  letGo(): void;
  /** Ends the process's part; the run can be started again with \`resume\`. */
  stop(): Promise<RunResult>;
  node(nodeId: string): Promise<NodeRow | undefined>;
  row(nodeId: string): Promise<unknown>;
  /** Loads the file as it is now. */
  load(): Promise<ServiceWorkflow>;
}

/** From the library that generations import: only what is imported after the stand-in above has it. */
export { runWorkflow, ServiceDb };

/** A workflow of files in a folder of its own, with \`flow.tsx\` as the entry. */
export async function openHotScene(files: Readonly<Record<string, string>>): Promise<HotScene> {
  const folder = temporaryFolder("hot");
  const save = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) save(name, text);
  vi.stubEnv("SERVICE_DB", join(folder, "service.db"));
  const load = async () => (await loadWorkflow("flow.tsx", { cwd: folder })).workflow;
  const workflow = await load();
  const db = new ServiceDb(workflow.db);
  onTestFinished(async () => db.store.close());
  const events: RunEvent[] = [];
  const given = new Set<RunEvent>();
  const waiting = new Set<() => void>();
  let stop = new AbortController();
  const held = deferred<void>();
  let run: Promise<RunResult> | undefined;
  onTestFinished(async () => {
    held.resolve();
    stop.abort(new ServiceError("PROCESS_ABORTED", "The test is over."));
    await run?.catch(() => {});
  });
  const end = async () => (await run) as RunResult;

  const scene: HotScene = {
    folder,
    workflow,
    save,
    load,
    start(hot = true, options = {}) {
      const started = deferred<void>();
      stop = new AbortController();
      Object.assign(globalThis, {
        __hot: { held: { promise: held.promise, started: () => started.resolve() } },
      });
      run = runWorkflow(workflow, {
        runId: "run",
        rootDir: folder,
        workflowPath: join(folder, "flow.tsx"),
        hot: hot === true ? { debounceMs: 20 } : { debounceMs: 20, ...hot },
        signal: stop.signal,
        onProgress(event) {
          events.push(event);
          for (const look of waiting) look();
        },
        ...options,
      });
      return Promise.race([started.promise, run.then(() => {})]);
    },
    next(type) {
      const found = deferred<Extract<RunEvent, { type: typeof type }>>();
      const look = () => {
        const event = events.find((each) => each.type === type && !given.has(each));
        if (event === undefined) return;
        given.add(event);
        waiting.delete(look);
        found.resolve(event as Extract<RunEvent, { type: typeof type }>);
      };
      waiting.add(look);
      look();
      return found.promise;
    },
    all: (type) => events.filter((event): event is Of<typeof type> => event.type === type),
    letGo: () => held.resolve(),
    finish() {
      held.resolve();
      return end();
    },
    stop() {
      stop.abort(new ServiceError("PROCESS_ABORTED", "The test stops it."));
      return end();
    },
    node: async (nodeId) => db.store.getNode("run", nodeId),
    row: async (nodeId) => db.store.readOutput("run", nodeId, 0),
  };
  return scene;
}
