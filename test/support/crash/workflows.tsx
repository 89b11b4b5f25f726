import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import {
  createService,
  createServicePostgres,
  type ScorerBinding,
  type ScorersMap,
  type ServiceApi,
  type ServiceWorkflow,
  type TaskRuntime,
} from "../../../src/index.js";
import { isPostgresUrl } from "../../../src/store/index.js";
import { folderOf, isPglite } from "./place.js";
import { leaveTrail } from "./trail.js";

export const schemas = {
  input: z.object({ name: z.string().nullish() }),
  step: z.object({ value: z.number(), seen: z.array(z.string()) }),
  output: z.object({ total: z.number() }),
  decision: z.object({ approved: z.boolean(), decidedBy: z.string().nullable() }),
  go: z.object({ speed: z.number() }),
};

export const WORKFLOW_NAMES = [
  "sequence",
  "fan-out",
  "loop",
  "nested",
  "saga",
  "waits",
  "subflows",
  "continuation",
] as const;
/** All the others in one: for stores where each process costs more. */
export const JOURNEY = "journey";
export type ShortName = (typeof WORKFLOW_NAMES)[number];
export type WorkflowName = ShortName | typeof JOURNEY;

/** The api of a database, and what ends its use. */
async function openApi(database: string) {
  if (isPglite(database)) {
    const { close, ...api } = await createServicePostgres(schemas, {
      provider: "pglite",
      dataDir: folderOf(database),
    });
    return { api, close };
  }
  const isServer = isPostgresUrl(database);
  if (isServer) process.env.SERVICE_DATABASE_URL = database;
  return { api: createService(schemas, isServer ? {} : { dbPath: database }), close: async () => {} };
}

/** Workflows whose tasks leave a trail. Every row follows from the rows before it, no matter which process wrote them. */
export async function crashWorkflow(
  name: WorkflowName,
  files: { database: string; trail: string },
): Promise<{ workflow: ServiceWorkflow; close(): Promise<void> }> {
  const { api, close } = await openApi(files.database);
  return { workflow: workflowOf(name, api as ServiceApi<typeof schemas>, files.trail), close };
}

function workflowOf(name: WorkflowName, api: ServiceApi<typeof schemas>, trail: string): ServiceWorkflow {
  const {
    Workflow,
    Task,
    Sequence,
    Parallel,
    Loop,
    Saga,
    Approval,
    Timer,
    Signal,
    Subflow,
    outputs,
    service,
  } = api;

  const enter = ({ runId, nodeId, iteration, attempt }: TaskRuntime) =>
    leaveTrail(trail, { what: "ran", runId, nodeId, iteration, attempt });
  /** A task that takes some turns of the event loop. */
  const slow = (value: number) => async (_inputs: object, runtime: TaskRuntime) => {
    enter(runtime);
    await pause(1 + (value % 3));
    runtime.heartbeat({ halfway: value });
    await pause(1);
    return { value, seen: [runtime.nodeId] };
  };
  /** A task that is over before its start returns. */
  const fast = (value: number) => (_inputs: object, runtime: TaskRuntime) => {
    enter(runtime);
    return { value, seen: [] };
  };
  const total = (value: () => number) => (
    <Task key="total" id="total" output={outputs.output}>
      {(_inputs, runtime) => {
        enter(runtime);
        return { total: value() };
      }}
    </Task>
  );
  const scorer = (id: string, score: (value: number) => number | Promise<number>): ScorerBinding => ({
    scorer: {
      id,
      name: id,
      description: "",
      score: async ({ output }) => ({ score: await score((output as { value: number }).value % 10) }),
    },
  });
  /** Of tasks that write a step: the second one fails now and then, the third is not for every output. */
  const scorers: ScorersMap = {
    quick: scorer("quick", (digit) => digit / 10),
    moody: scorer("moody", (digit) => (digit % 2 === 0 ? Number.NaN : 1)),
    slow: {
      ...scorer("slow", async (digit) => {
        await pause(4);
        return digit / 10;
      }),
      sampling: { type: "ratio", rate: 0.5 },
    },
  };
  const sum = (rows: readonly { value: number }[]) => rows.reduce((total, { value }) => total + value, 0);

  switch (name) {
    case "sequence":
      return service(() => (
        <Workflow name={name}>
          <Task id="s1" output={outputs.step} scorers={scorers}>
            {slow(1)}
          </Task>
          {[2, 3, 4, 5].map((n) => (
            <Task
              key={n}
              id={`s${n}`}
              output={outputs.step}
              needs={{ before: `s${n - 1}` }}
              deps={{ before: outputs.step }}
              scorers={scorers}
            >
              {async ({ before }, runtime) => {
                enter(runtime);
                await pause(n % 2);
                return { value: before.value * 2 + n, seen: [...before.seen, before.nodeId] };
              }}
            </Task>
          ))}
          <Task id="total" output={outputs.output} deps={{ s5: outputs.step }}>
            {({ s5 }, runtime) => {
              enter(runtime);
              return { total: s5.value };
            }}
          </Task>
        </Workflow>
      ));
    case "fan-out":
      return service((ctx) => (
        <Workflow name={name}>
          <Parallel maxConcurrency={3}>
            {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
              <Task key={n} id={`f${n}`} output={outputs.step} scorers={scorers}>
                {n % 4 === 0 ? fast(n) : slow(n)}
              </Task>
            ))}
          </Parallel>
          <Task id="total" output={outputs.output}>
            {async (_inputs, runtime) => {
              enter(runtime);
              const found = await Promise.all([3, 4].map((n) => runtime.scores(`f${n}`)));
              const quick = found.flat().filter(({ scorerId }) => scorerId === "quick");
              return {
                total: sum(ctx.outputs.step) + quick.reduce((all, { score }) => all + (score ?? 100), 0),
              };
            }}
          </Task>
        </Workflow>
      ));
    case "loop":
      return service((ctx) => (
        <Workflow name={name}>
          <Loop id="rounds" until={ctx.iterationCount("step", "b") >= 4} maxIterations={10}>
            <Task id="a" output={outputs.step}>
              {slow(10 + ctx.iteration)}
            </Task>
            <Task id="b" output={outputs.step} deps={{ a: outputs.step }}>
              {({ a }, runtime) => {
                enter(runtime);
                return { value: a.value + runtime.iteration, seen: a.seen };
              }}
            </Task>
          </Loop>
          {total(() => sum(ctx.outputs.step))}
        </Workflow>
      ));
    case "nested":
      return service((ctx) => (
        <Workflow name={name}>
          <Loop id="outer" until={ctx.iterationCount("step", "close") >= 2} maxIterations={5}>
            <Parallel maxConcurrency={2}>
              <Sequence>
                <Loop id="inner" maxIterations={2}>
                  <Task id="tick" output={outputs.step}>
                    {slow(1)}
                  </Task>
                </Loop>
                <Task id="after" output={outputs.step}>
                  {fast(20)}
                </Task>
              </Sequence>
              <Task id="side" output={outputs.step}>
                {slow(300)}
              </Task>
              <Task id="quick" output={outputs.step}>
                {fast(4000)}
              </Task>
            </Parallel>
            <Task id="close" output={outputs.step} deps={{ after: outputs.step, side: outputs.step }}>
              {({ after, side }, runtime) => {
                enter(runtime);
                return { value: after.value + side.value + runtime.iteration, seen: side.seen };
              }}
            </Task>
          </Loop>
          {total(() => sum(ctx.outputs.step))}
        </Workflow>
      ));
    case "saga":
      return service((ctx) => (
        <Workflow name={name}>
          <Saga id="booking" onFailure="compensate">
            {[1, 2, 3].map((n) => (
              <api.SagaStep
                key={n}
                id={`step-${n}`}
                compensation={
                  <Task id={`undo-${n}`} output={outputs.step}>
                    {slow(-n)}
                  </Task>
                }
              >
                <Task id={`do-${n}`} output={outputs.step} retries={0}>
                  {async (_inputs, runtime) => {
                    enter(runtime);
                    await pause(1);
                    if (n === 3) throw new Error("there is no third");
                    return { value: 10 * n, seen: [] };
                  }}
                </Task>
              </api.SagaStep>
            ))}
          </Saga>
          {total(() => sum(ctx.outputs.step))}
        </Workflow>
      ));
    case "waits":
      return service((ctx) => (
        <Workflow name={name}>
          <Task id="before" output={outputs.step}>
            {slow(1)}
          </Task>
          <Parallel>
            <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
            <Signal id="go" schema={outputs.go} />
            <Timer id="nap" duration="20ms" />
            <Task id="beside" output={outputs.step} scorers={scorers}>
              {slow(2)}
            </Task>
          </Parallel>
          {total(() => sum(ctx.outputs.step) + (ctx.outputMaybe("go", { nodeId: "go" })?.speed ?? 0))}
        </Workflow>
      ));
    case "subflows": {
      const child = service(({ input }) => (
        <Workflow name="child">
          <Task id={`${input.name}-first`} output={outputs.step}>
            {slow(5)}
          </Task>
          <Task id={`${input.name}-result`} output={outputs.output}>
            {(_inputs, runtime) => {
              enter(runtime);
              return { total: 5 };
            }}
          </Task>
        </Workflow>
      ));
      return service((ctx) => (
        <Workflow name={name}>
          <Parallel>
            <Subflow id="left" workflow={child} input={{ name: "own" }} output={outputs.output} />
            <Subflow id="right" workflow={child} input={{ name: "own" }} output={outputs.output} />
            <Subflow
              id="here"
              mode="inline"
              workflow={child}
              input={{ name: "inline" }}
              output={outputs.output}
            />
            <Subflow
              id="there"
              mode="inline"
              workflow={child}
              input={{ name: "inline" }}
              output={outputs.output}
            />
            <Task id="beside" output={outputs.step}>
              {slow(2)}
            </Task>
          </Parallel>
          {total(() => ctx.outputs.output.reduce((all, row) => all + row.total, 0))}
        </Workflow>
      ));
    }
    case "continuation":
      return service((ctx) => (
        <Workflow name={name}>
          <Task id="before" output={outputs.step}>
            {slow(1_000)}
          </Task>
          <Loop id="rounds" maxIterations={6} continueAsNewEvery={2}>
            <Task id="round" output={outputs.step} scorers={scorers}>
              {slow((ctx.latest("step", "round")?.value ?? 100) + ctx.iterationCount("step", "round"))}
            </Task>
          </Loop>
          {total(() => sum(ctx.outputs.step) * ctx.iterationCount("step", "round"))}
        </Workflow>
      ));
    case "journey": {
      const child = service(() => (
        <Workflow name="stage">
          <Task id="staged" output={outputs.output}>
            {(_inputs, runtime) => {
              enter(runtime);
              return { total: 7 };
            }}
          </Task>
        </Workflow>
      ));
      return service((ctx) => (
        <Workflow name={name}>
          <Task id="before" output={outputs.step}>
            {slow(1_000)}
          </Task>
          <Parallel>
            <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
            <Signal id="go" schema={outputs.go} />
            <Timer id="nap" duration="20ms" />
          </Parallel>
          <Subflow id="own" workflow={child} input={{ name: "own" }} output={outputs.output} />
          <Saga id="booking" onFailure="compensate">
            {[1, 2].map((n) => (
              <api.SagaStep
                key={n}
                id={`step-${n}`}
                compensation={
                  <Task id={`undo-${n}`} output={outputs.step}>
                    {fast(-n)}
                  </Task>
                }
              >
                <Task id={`do-${n}`} output={outputs.step} retries={0}>
                  {(_inputs, runtime) => {
                    enter(runtime);
                    if (n === 2) throw new Error("there is no second");
                    return { value: 10 * n, seen: [] };
                  }}
                </Task>
              </api.SagaStep>
            ))}
          </Saga>
          <Loop id="rounds" maxIterations={3} continueAsNewEvery={2}>
            <Task id="round" output={outputs.step} scorers={scorers}>
              {slow((ctx.latest("step", "round")?.value ?? 100) + ctx.iterationCount("step", "round"))}
            </Task>
          </Loop>
          {total(() => sum(ctx.outputs.step) + (ctx.outputMaybe("go", { nodeId: "go" })?.speed ?? 0))}
        </Workflow>
      ));
    }
    default:
      return name satisfies never;
  }
}
