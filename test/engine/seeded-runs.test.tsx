import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, listApprovals, ServiceError } from "../../src/index.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import { MortalProcess } from "../../src/testing/mortal-process.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), output: z.object({ total: z.number() }) };

/** Two steps and a sum over whatever rows there are. */
function summing() {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const ran: string[] = [];
  const step = (id: string, n: number) => (
    <Task key={id} id={id} output={outputs.step}>
      {() => {
        ran.push(id);
        return { n };
      }}
    </Task>
  );
  const workflow = service((ctx) => (
    <Workflow name="summing">
      {step("a", 1)}
      {step("b", 2)}
      <Task id="sum" output={outputs.output}>
        {() => ({ total: ctx.outputs.step.reduce((sum, { n }) => sum + n, 0) })}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow, ran };
}

describe("initialOutputs", () => {
  it("count as finished: their tasks do not run, and everybody reads their rows", async () => {
    const scene = summing();
    const result = await scene.run(scene.workflow, {
      initialOutputs: { step: [{ nodeId: "a", iteration: 0, n: 100 }] },
    });
    expect(scene.ran).toEqual(["b"]);
    expect(result.output).toEqual({ total: 102 });
    expect(await scene.store.listOutputs("run", "step")).toEqual([{ n: 100 }, { n: 2 }]);
    expect(await scene.node("a")).toMatchObject({ state: "finished", lastAttempt: 0 });
    expect(await scene.attempts("a")).toEqual([]);
  });

  it("may hold rows of nodes that the plan does not have", async () => {
    const scene = summing();
    const result = await scene.run(scene.workflow, {
      initialOutputs: { step: [{ nodeId: "elsewhere", n: 40 }] },
    });
    expect(result.output).toEqual({ total: 43 });
  });

  it.each([
    ["a row that does not fit", { step: [{ nodeId: "a", n: "one" }] }, "INVALID_OUTPUT"],
    ["a row without a node", { step: [{ n: 1 }] }, "INVALID_INPUT"],
    ["an iteration before the first", { step: [{ nodeId: "a", iteration: -1, n: 1 }] }, "INVALID_INPUT"],
    ["half an iteration", { step: [{ nodeId: "a", iteration: 0.5, n: 1 }] }, "INVALID_INPUT"],
    ["no list of rows", { step: { nodeId: "a", n: 1 } as never }, "INVALID_INPUT"],
    ["a row that is none", { step: [null as never] }, "INVALID_INPUT"],
    ["an unknown table", { stp: [{ nodeId: "a", n: 1 }] }, "UNKNOWN_OUTPUT_SCHEMA"],
  ])("with %s are refused, and nothing is written", async (_what, initialOutputs, code) => {
    const scene = summing();
    await expect(scene.run(scene.workflow, { initialOutputs })).rejects.toMatchObject({ code });
    expect(scene.rowCount()).toBe(0);
  });

  it("survive a process that dies as soon as the run exists", async () => {
    const scene = summing();
    const services = {
      ...scene.services,
      store: new MortalProcess({ commit: 1, when: "before" }).open(scene.store),
    };
    await scene.store.prepare();
    const died = runWith(services, scene.workflow, {
      runId: "run",
      input: {},
      initialOutputs: { step: [{ nodeId: "a", n: 100 }] },
    });
    await expect(scene.time.until(died)).rejects.toThrow("died");
    const result = await scene.resume(scene.workflow, { force: true });
    expect(scene.ran).toEqual(["b"]);
    expect(result.output).toEqual({ total: 102 });
  });
});

describe("initialOutputs of a resume", () => {
  it("stand for what has failed, and for what has not begun; rows that are there stay", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, Branch, outputs, service } = scene.api;
    const ran: string[] = [];
    const step = (id: string, make: () => { n: number }) => (
      <Task id={id} output={outputs.step} noRetry>
        {() => {
          ran.push(id);
          return make();
        }}
      </Task>
    );
    const workflow = service((ctx) => (
      <Workflow name="mended">
        {step("done", () => ({ n: 1 }))}
        {step("broken", () => {
          throw new Error("boom");
        })}
        <Branch
          if={ctx.outputMaybe("step", { nodeId: "broken" }) !== undefined}
          then={step("after", () => ({ n: 4 }))}
        />
        {step("given", () => ({ n: 5 }))}
        <Task id="sum" output={outputs.output}>
          {() => ({ total: ctx.outputs.step.reduce((sum, { n }) => sum * 10 + n, 0) })}
        </Task>
      </Workflow>
    ));
    expect((await scene.run(workflow)).status).toBe("failed");
    const initialOutputs = {
      step: [
        { nodeId: "done", n: 7 },
        { nodeId: "broken", n: 2 },
        { nodeId: "given", n: 3 },
      ],
    };
    const result = await scene.resume(workflow, { initialOutputs });
    expect(result).toEqual({ runId: "run", status: "finished", output: { total: 1234 } });
    expect(ran).toEqual(["done", "broken", "after"]);
    const again = await scene.run(workflow, { runId: "run", resume: true, initialOutputs });
    expect(again.output).toEqual({ total: 1234 });
  });

  it("answer what the run waits for, and end what its dead owner was doing", async () => {
    const scene = openScene({ ...schemas, decision: approvalDecision });
    const { Workflow, Parallel, Approval, Task, outputs, service } = scene.api;
    const workflow = service((ctx) => (
      <Workflow name="waiting">
        <Parallel>
          <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
          <Task id="slow" output={outputs.step}>
            {() => new Promise<never>(() => {})}
          </Task>
        </Parallel>
        <Task id="sum" output={outputs.output}>
          {() => ({ total: ctx.output("step", { nodeId: "slow" }).n })}
        </Task>
      </Workflow>
    ));
    await scene.store.prepare();
    const dies = {
      ...scene.services,
      store: new MortalProcess({ commit: 3, when: "before" }).open(scene.store),
    };
    const died = runWith(dies, workflow, { runId: "run", input: {} });
    died.catch(() => {});
    await scene.time.advance(20_000);
    const decision = { nodeId: "ok", approved: true, note: null, decidedBy: null, decidedAt: null };
    const initialOutputs = { decision: [decision], step: [{ nodeId: "slow", n: 6 }] };
    const result = await scene.resume(workflow, { force: true, initialOutputs });
    expect(result).toMatchObject({ status: "finished", output: { total: 6 } });
    expect(await scene.attempts("slow")).toMatchObject([{ attempt: 1, state: "interrupted" }]);
    expect(await listApprovals(workflow, { status: "requested" })).toEqual([]);
  });

  it("that do not fit are refused, and the run can be resumed without them", async () => {
    const scene = summing();
    const { store } = scene;
    await scene.run(scene.workflow, { signal: AbortSignal.abort(new ServiceError("PROCESS_ABORTED", "x")) });
    const mismatch = { step: [{ nodeId: "b", n: "two" }] };
    await expect(scene.resume(scene.workflow, { initialOutputs: mismatch })).rejects.toMatchObject({
      code: "INVALID_OUTPUT",
    });
    expect((await store.getRun("run"))?.ownerId).toBeNull();
    expect((await scene.resume(scene.workflow)).output).toEqual({ total: 3 });
  });
});

/** A loop of at most 6 rounds, and what each round and the root saw. */
function looping(until: (n: number) => boolean = () => false) {
  const scene = openScene(schemas);
  const { Workflow, Task, Loop, outputs, service } = scene.api;
  const seen: string[] = [];
  const workflow = service((ctx) => {
    const fromRoot = ctx.iteration;
    return (
      <Workflow name="looping">
        <Loop id="rounds" until={until(ctx.latest("step", "round")?.n ?? -1)} maxIterations={6}>
          <Task id="round" output={outputs.step}>
            {(_inputs, { iteration }) => {
              seen.push(`${iteration} (root ${fromRoot}, loop ${ctx.iterations["rounds"]})`);
              return { n: iteration };
            }}
          </Task>
        </Loop>
      </Workflow>
    );
  });
  return { ...scene, workflow, seen };
}

describe("a loop", () => {
  it("starts at initialIteration", async () => {
    const scene = looping();
    await scene.run(scene.workflow, { initialIteration: 4 });
    expect(scene.seen).toEqual(["4 (root 4, loop 4)", "5 (root 5, loop 5)"]);
  });

  it.each([
    ["a record", { rounds: 3 }],
    ["a Map", new Map([["rounds", 3]])],
  ])("starts at its own entry of initialIterations, given as %s", async (_what, initialIterations) => {
    const scene = looping((n) => n >= 4);
    await scene.run(scene.workflow, { initialIteration: 1, initialIterations });
    expect(scene.seen).toEqual(["3 (root 3, loop 3)", "4 (root 4, loop 4)"]);
  });
});
