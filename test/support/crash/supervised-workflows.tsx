import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createService, type ServiceWorkflow, type TaskRuntime } from "../../../src/index.js";
import { leaveTrail } from "./trail.js";

export const HEALTHY = ["sequence", "parallel", "loop", "timer", "subflow"] as const;
export const POISONED = ["throws", "rejects", "exits", "throws-text", "throws-nothing"] as const;
/** Stops the event loop for longer than a lease lasts, then ends well. */
export const BLOCKING = "blocks";
/** Ends its process by SIGKILL, each time. */
export const CRASHING = "crashes";

export type HealthyName = (typeof HEALTHY)[number];
export type PoisonedName = (typeof POISONED)[number];
export type SupervisedName = HealthyName | PoisonedName | typeof BLOCKING | typeof CRASHING;
export const SUPERVISED = [...HEALTHY, ...POISONED, BLOCKING, CRASHING] as const;

/** Longer than the ten seconds of a lease. */
export const BLOCKED_MS = 12_000;

/** What an error of each poisoned run says. */
export const POISON: Readonly<Record<PoisonedName, string>> = {
  throws: "thrown as asked",
  rejects: "nobody awaits this",
  exits: "TASK_EXITED_PROCESS",
  "throws-text": 'not an Error was thrown: "only text"',
  "throws-nothing": "not an Error was thrown: undefined",
};

const never = new Promise<never>(() => {});
const poisons: Readonly<Record<PoisonedName, () => unknown>> = {
  throws() {
    throw new Error(POISON.throws);
  },
  async rejects() {
    void Promise.reject(new TypeError(POISON.rejects));
    await never;
  },
  async exits() {
    await pause(1);
    process.exit(0);
  },
  "throws-text"() {
    throw "only text";
  },
  "throws-nothing"() {
    throw undefined;
  },
};

/**
 * Workflows for supervisors: each waits for a moment first, so that the process which starts
 * its run releases it before anything happens, and takes some seconds, so that many are in
 * progress whenever a process dies.
 */
export function supervisedWorkflows(files: {
  database: string;
  trail: string;
}): Record<SupervisedName, ServiceWorkflow> {
  const { Workflow, Task, Parallel, Loop, Timer, Subflow, outputs, service } = createService(
    {
      input: z.object({ name: z.string().nullish() }),
      step: z.object({ value: z.number() }),
      output: z.object({ total: z.number() }),
    },
    { dbPath: files.database },
  );

  const enter = ({ runId, nodeId, iteration, attempt }: TaskRuntime) =>
    leaveTrail(files.trail, { what: "ran", runId, nodeId, iteration, attempt });
  const slow = (value: number) => async (_inputs: object, runtime: TaskRuntime) => {
    enter(runtime);
    await pause(200 + (value % 4) * 100);
    return { value };
  };
  const begin = <Timer key="begin" id="begin" duration="200ms" />;
  const total = (value: () => number) => (
    <Task key="total" id="total" output={outputs.output}>
      {(_inputs, runtime) => {
        enter(runtime);
        return { total: value() };
      }}
    </Task>
  );
  const sum = (rows: readonly { value: number }[]) => rows.reduce((all, { value }) => all + value, 0);

  const child = service(() => (
    <Workflow name="child">
      <Task id="child-first" output={outputs.step}>
        {slow(7)}
      </Task>
      <Task id="child-result" output={outputs.output} deps={{ "child-first": outputs.step }}>
        {({ "child-first": first }, runtime) => {
          enter(runtime);
          return { total: first.value };
        }}
      </Task>
    </Workflow>
  ));

  const poisoned = (name: PoisonedName) =>
    service(() => (
      <Workflow name={name}>
        {begin}
        <Task id="poison" output={outputs.step} noRetry>
          {
            ((_inputs: object, runtime: TaskRuntime) => {
              enter(runtime);
              return poisons[name]();
            }) as () => { value: number }
          }
        </Task>
      </Workflow>
    ));

  return {
    sequence: service((ctx) => (
      <Workflow name="sequence">
        {begin}
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <Task key={n} id={`s${n}`} output={outputs.step}>
            {slow(n)}
          </Task>
        ))}
        {total(() => sum(ctx.outputs.step))}
      </Workflow>
    )),
    parallel: service((ctx) => (
      <Workflow name="parallel">
        {begin}
        <Parallel maxConcurrency={2}>
          {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
            <Task key={n} id={`p${n}`} output={outputs.step}>
              {slow(n)}
            </Task>
          ))}
        </Parallel>
        {total(() => sum(ctx.outputs.step))}
      </Workflow>
    )),
    loop: service((ctx) => (
      <Workflow name="loop">
        {begin}
        <Loop id="rounds" until={ctx.iterationCount("step", "b") >= 4} maxIterations={10}>
          <Task id="a" output={outputs.step}>
            {slow(10 + ctx.iteration)}
          </Task>
          <Task id="b" output={outputs.step} deps={{ a: outputs.step }}>
            {async ({ a }, runtime) => {
              enter(runtime);
              await pause(200);
              return { value: a.value + runtime.iteration };
            }}
          </Task>
        </Loop>
        {total(() => sum(ctx.outputs.step))}
      </Workflow>
    )),
    timer: service((ctx) => (
      <Workflow name="timer">
        {begin}
        <Task id="before" output={outputs.step}>
          {slow(1)}
        </Task>
        <Parallel>
          <Timer id="nap" duration="2s" />
          <Task id="beside" output={outputs.step}>
            {slow(2)}
          </Task>
        </Parallel>
        <Task id="after" output={outputs.step}>
          {slow(3)}
        </Task>
        {total(() => sum(ctx.outputs.step))}
      </Workflow>
    )),
    subflow: service((ctx) => (
      <Workflow name="subflow">
        {begin}
        <Parallel>
          <Subflow id="own" workflow={child} input={{ name: "own" }} output={outputs.output} />
          <Task id="beside" output={outputs.step}>
            {slow(3)}
          </Task>
        </Parallel>
        {total(() => ctx.outputs.output.reduce((all, row) => all + row.total, 0))}
      </Workflow>
    )),
    throws: poisoned("throws"),
    rejects: poisoned("rejects"),
    exits: poisoned("exits"),
    "throws-text": poisoned("throws-text"),
    "throws-nothing": poisoned("throws-nothing"),
    blocks: service(() => (
      <Workflow name={BLOCKING}>
        {begin}
        <Task id="block" output={outputs.output}>
          {(_inputs, runtime) => {
            enter(runtime);
            // Costs no processor time, and nothing else of this thread continues.
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
            return { total: BLOCKED_MS };
          }}
        </Task>
      </Workflow>
    )),
    crashes: service(() => (
      <Workflow name={CRASHING}>
        {begin}
        <Task id="crash" output={outputs.step}>
          {async (_inputs, runtime) => {
            enter(runtime);
            process.kill(process.pid, "SIGKILL");
            return never;
          }}
        </Task>
      </Workflow>
    )),
  };
}
