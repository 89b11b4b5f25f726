import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createServicePostgres, runWorker, runWorkflow, superviseRuns } from "../../../src/index.js";

/** What the test tells a process of a fleet, as JSON in its only argument. */
export interface FleetOrder {
  /** `host`: as a driver, and looks after runs that others have left. */
  role: "driver" | "worker" | "host";
  url: string;
  /** File of effects: `run node attempt process`, a line for each attempt that has begun. */
  trail: string;
  /** Names the code: what it makes says so, too. @default "one" */
  code?: string;
  /** Of its tasks, and that a worker serves. @default "large" */
  queue?: string;
  /** Of a driver: the runs that it starts. */
  runs?: readonly string[];
  /** Tasks of each run. @default 1 */
  tasks?: number;
  /** How long each of them takes, milliseconds. @default 0 */
  taskMs?: number;
  /** First attempts continue until they are aborted or killed. @default false */
  isHeld?: boolean;
  /** Of a driver: a crash point at which it dies. @default none */
  crashAt?: string;
  /** Of a driver: the runs are there already. @default false */
  isResuming?: boolean;
  /** Of a driver: the runs continue with this code, whatever they began with. @default false */
  isAccepting?: boolean;
  /** Of a worker: it also drives runs. @default false */
  drive?: boolean;
  /** Of a worker. @default 4 */
  concurrency?: number;
  /** A machine besides this one, whose clock is wrong. @default this one */
  machine?: { name: string; clockAheadMs: number };
}

const order = JSON.parse(process.argv[2] ?? "{}") as FleetOrder;
if (order.crashAt !== undefined) process.env["SERVICE_CRASH_AT"] = order.crashAt;
const { url, trail, code = "one", queue = "large", runs = [], concurrency = 4 } = order;

const api = await createServicePostgres(
  {
    input: z.object({ tasks: z.number(), taskMs: z.number(), isHeld: z.boolean() }),
    part: z.object({ text: z.string() }),
    whole: z.object({ parts: z.array(z.string()) }),
  },
  { connectionString: url },
);
const FOREVER_MS = 1_000_000;
const { Workflow, Sequence, Parallel, Task, outputs } = api;

const fleet = api.service(
  (ctx) => (
    <Workflow name="fleet" queue={queue}>
      <Sequence>
        <Parallel maxConcurrency={8}>
          {Array.from({ length: ctx.input.tasks }, (_, index) => (
            <Task key={index} id={`part-${index}`} output={outputs.part} queue={queue} retries={0}>
              {async (_inputs, { attempt, signal }) => {
                appendFileSync(trail, `${ctx.runId} part-${index} ${attempt} ${process.pid}\n`);
                console.log(`part ${index} of ${code}`);
                const isHeld = ctx.input.isHeld && attempt === 1;
                await pause(isHeld ? FOREVER_MS : ctx.input.taskMs, undefined, { signal });
                return { text: `${index} by ${code}` };
              }}
            </Task>
          ))}
        </Parallel>
        <Task id="whole" output={outputs.whole}>
          {() => ({
            parts: ctx
              .outputs("part")
              .map(({ text }) => text)
              .sort(),
          })}
        </Task>
      </Sequence>
    </Workflow>
  ),
  { workflowHash: code },
);

const stop = new AbortController();
const giveBack = new AbortController();
process.on("SIGTERM", () => {
  (stop.signal.aborted ? giveBack : stop).abort();
  say({ stopping: process.pid });
});

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

if (order.role === "worker") {
  say({ ready: process.pid });
  await runWorker(
    { fleet },
    {
      drive: order.drive ?? false,
      ...{ queues: [queue], concurrency, signal: stop.signal, giveBack: giveBack.signal },
      onBegin: ({ runId, nodeId }) => say({ began: `${runId} ${nodeId}` }),
    },
  );
} else {
  const { tasks = 1, taskMs = 0, isHeld = false } = order;
  const input = { tasks, taskMs, isHeld };
  const isHost = order.role === "host";
  const drive = async (runId: string) => {
    const { status, error } = await runWorkflow(fleet, {
      runId,
      ...(order.isResuming ? { resume: true } : { input }),
      ...(order.isAccepting && { acceptWorkflowChange: true }),
      ...(isHost && { maxInterruptions: 0 }),
    });
    say({ runId, status, error });
  };
  say({ ready: process.pid });
  // A run that another host has begun is left to the supervision.
  const driving = Promise.all(runs.map((runId) => (isHost ? drive(runId).catch(() => {}) : drive(runId))));
  if (isHost) await superviseRuns({ fleet }, { signal: stop.signal, maxConcurrent: 100 });
  await driving;
}
await api.close();
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
say({ left: process.pid, timers });
