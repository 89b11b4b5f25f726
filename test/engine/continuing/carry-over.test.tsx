import { expect, it } from "vitest";
import { z } from "zod";
import { type AgentGenerateOptions, denyNode, signalRun } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scriptedAgent } from "../../support/engine/scripted-agent.js";

const schemas = {
  plan: z.object({ goal: z.number() }),
  round: z.object({ sum: z.number() }),
  decision: z.object({ approved: z.boolean(), decidedBy: z.string().nullable() }),
  output: z.object({ goal: z.number(), sum: z.number(), rounds: z.number(), listed: z.number() }),
};

function open() {
  const scene = openScene(schemas);
  const ran: string[] = [];
  /** What a task does, written down. */
  const log =
    <T,>(what: string, value: T) =>
    () => {
      ran.push(what);
      return value;
    };
  return { ...scene, ran, log };
}

it("runs nothing twice that had finished before the loop, and ctx reads on through the chain", async () => {
  const { api, ran, log, run, store } = open();
  const { Workflow, Task, Loop, outputs, service } = api;
  const seen: (number | undefined)[] = [];
  const workflow = service((ctx) => {
    const sum = ctx.latest("round", "round")?.sum ?? 0;
    return (
      <Workflow name="counting">
        <Task id="plan" output={outputs.plan}>
          {log("plan", { goal: 5 })}
        </Task>
        <Loop
          id="rounds"
          until={sum >= (ctx.latest("plan", "plan")?.goal ?? 1)}
          maxIterations={20}
          continueAsNewEvery={2}
        >
          <Task id="round" output={outputs.round}>
            {() => {
              seen.push(ctx.iterations["rounds"]);
              return { sum: sum + 1 };
            }}
          </Task>
        </Loop>
        <Task id="end" output={outputs.output} deps={{ plan: outputs.plan, round: outputs.round }}>
          {({ plan, round }) => ({
            goal: plan.goal,
            sum: round.sum,
            rounds: ctx.iterationCount("round", "round"),
            listed: ctx.outputs.round.length,
          })}
        </Task>
      </Workflow>
    );
  });
  const result = await run(workflow);
  // The third run has the row of round 3 and its own of round 4: older iterations stay in their runs.
  expect(result).toMatchObject({ status: "finished", output: { goal: 5, sum: 5, rounds: 5, listed: 2 } });
  expect(ran).toEqual(["plan"]);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
  const nodes = (await store.listNodes(result.runId)).map((row) => `${row.nodeId}::${row.iteration}`);
  expect(nodes).toEqual(["end::0", "plan::0", "round::3", "round::4"]);
});

it("a run of the chain that no process drives continues by a resume as it would have", async () => {
  const { api, ran, log, run } = open();
  const { Workflow, Task, Loop, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="resumed">
      <Task id="plan" output={outputs.plan}>
        {log("plan", { goal: 3 })}
      </Task>
      <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
        <Task id="round" output={outputs.round}>
          {() => ({ sum: (ctx.latest("round", "round")?.sum ?? 0) + 1 })}
        </Task>
      </Loop>
      <Task id="end" output={outputs.output} deps={{ plan: outputs.plan, round: outputs.round }}>
        {({ plan, round }) => {
          const rounds = ctx.iterationCount("round", "round");
          return { goal: plan.goal, sum: round.sum, rounds, listed: 0 };
        }}
      </Task>
    </Workflow>
  ));
  let result = await run(workflow, { followContinuation: false });
  const ids = [result.runId];
  while (result.nextRunId !== undefined) {
    result = await run(workflow, { runId: result.nextRunId, resume: true, followContinuation: false });
    ids.push(result.runId);
  }
  expect(ids).toHaveLength(3);
  expect(result.output).toEqual({ goal: 3, sum: 3, rounds: 3, listed: 0 });
  expect(ran).toEqual(["plan"]);
});

it("blocks and tolerated failures outside the loop stay as they had ended", async () => {
  const { api, ran, log, run } = open();
  const { Workflow, Task, Loop, Saga, SagaStep, TryCatchFinally, outputs, service } = api;
  const failing = (id: string) => (
    <Task id={id} output={outputs.plan} retries={0}>
      {() => {
        ran.push(id);
        throw new Error("as asked");
      }}
    </Task>
  );
  const working = (id: string) => (
    <Task id={id} output={outputs.plan}>
      {log(id, { goal: 1 })}
    </Task>
  );
  const workflow = service(() => (
    <Workflow name="blocks">
      <Task id="optional" output={outputs.plan} retries={0} continueOnFail>
        {() => {
          ran.push("optional");
          throw new Error("as asked");
        }}
      </Task>
      <Saga id="booking" onFailure="compensate">
        <SagaStep id="one" compensation={working("undo")}>
          {working("book")}
        </SagaStep>
        <SagaStep id="two" compensation={working("never")}>
          {failing("pay")}
        </SagaStep>
      </Saga>
      <TryCatchFinally
        id="guarded"
        try={failing("risky")}
        catch={working("rescue")}
        finally={working("tidy")}
      />
      <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
        <Task id="round" output={outputs.round}>
          {log("round", { sum: 1 })}
        </Task>
      </Loop>
      {working("after")}
    </Workflow>
  ));
  const result = await run(workflow);
  expect(result).toMatchObject({ status: "finished", failedChildren: 3 });
  expect(ran).toEqual([
    ...["optional", "book", "pay", "undo", "risky", "rescue", "tidy"],
    ...["round", "round", "round", "after"],
  ]);
});

it("what comes after a denied approval is skipped in the next run as well", async () => {
  const { api, ran, log, run, store } = open();
  const { Workflow, Task, Loop, Approval, Parallel, Sequence, Signal, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="denied">
      <Parallel>
        <Sequence>
          <Approval id="ok" output={outputs.decision} request={{ title: "Publish?" }} onDeny="skip" />
          {ctx.iterationCount("round", "round") >= 2 ? (
            <Task id="publish" output={outputs.plan}>
              {log("publish", { goal: 1 })}
            </Task>
          ) : null}
        </Sequence>
        <Sequence>
          <Signal id="go" schema={outputs.plan} />
          <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
            <Task id="round" output={outputs.round}>
              {log("round", { sum: 1 })}
            </Task>
          </Loop>
        </Sequence>
      </Parallel>
    </Workflow>
  ));
  await run(workflow);
  await denyNode(workflow, { runId: "run", nodeId: "ok" });
  await signalRun(workflow, { runId: "run", signal: "go", data: { goal: 1 } });
  const result = await run(workflow, { resume: true });
  expect(result.status).toBe("finished");
  expect(ran).toEqual(["round", "round", "round"]);
  expect(await store.getNode(result.runId, "publish")).toMatchObject({ state: "skipped" });
});

it("another loop that is under way continues where it is, and one that is done keeps its rows", async () => {
  const { api, ran, log, run, store } = open();
  const { Workflow, Task, Loop, Parallel, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="loops">
      <Loop id="done" maxIterations={2}>
        <Task id="d" output={outputs.round}>
          {log("d", { sum: 1 })}
        </Task>
      </Loop>
      <Parallel>
        <Loop id="rounds" maxIterations={4} continueAsNewEvery={2}>
          <Task id="r" output={outputs.round}>
            {log("r", { sum: 1 })}
          </Task>
        </Loop>
        <Loop id="beside" maxIterations={4}>
          <Task id="b" output={outputs.round}>
            {log("b", { sum: 1 })}
          </Task>
        </Loop>
      </Parallel>
    </Workflow>
  ));
  const result = await run(workflow);
  expect(result.status).toBe("finished");
  for (const [id, times] of [
    ["d", 2],
    ["r", 4],
    ["b", 4],
  ] as const) {
    expect(ran.filter((what) => what === id)).toHaveLength(times);
  }
  const rows = (await store.listNodes(result.runId)).map((row) => `${row.nodeId}::${row.iteration}`);
  expect(rows).toEqual(expect.arrayContaining(["d::0", "d::1"]));
});

it("nested loops continue in the outer iteration that they were in", async () => {
  const { api, ran, run, store } = open();
  const { Workflow, Task, Loop, Sequence, outputs, service } = api;
  const enter =
    (what: string) =>
    (_inputs: object, { iteration }: { iteration: number }) => {
      ran.push(`${what} ${iteration}`);
      return { sum: 1 };
    };
  const workflow = service((ctx) => (
    <Workflow name="nested">
      <Loop id="outer" maxIterations={2}>
        <Sequence>
          <Task id="open" output={outputs.round}>
            {enter("open")}
          </Task>
          <Loop id="inner" maxIterations={3} continueAsNewEvery={2}>
            <Task id="tick" output={outputs.round}>
              {enter(`tick of ${ctx.iterations["outer"] ?? 0}`)}
            </Task>
          </Loop>
          <Task id="close" output={outputs.round}>
            {enter("close")}
          </Task>
        </Sequence>
      </Loop>
    </Workflow>
  ));
  const result = await run(workflow);
  expect(result.status).toBe("finished");
  expect(ran).toEqual([
    ...["open 0", "tick of 0 0", "tick of 0 1", "tick of 0 2", "close 0"],
    ...["open 1", "tick of 1 0", "tick of 1 1", "tick of 1 2", "close 1"],
  ]);
  const last = (await store.listNodes(result.runId)).map((row) => `${row.nodeId}::${row.iteration}`);
  // Of the first outer iteration the rows that later ones have replaced are gone.
  expect(last).toEqual(["close::0", "close::1", "open::1", "tick@@outer=1::1", "tick@@outer=1::2"]);
});

it("a task forks the session of an agent that had finished before the loop", async () => {
  const { api, run } = open();
  const { Workflow, Task, Loop, outputs, service } = api;
  const agent = {
    ...scriptedAgent("planner", []),
    supportsSessionFork: true,
    async generate({ resumeSession }: AgentGenerateOptions = {}) {
      sessions.push(resumeSession);
      return { output: { goal: 1 }, sessionId: `session-${sessions.length}` };
    },
  };
  const sessions: unknown[] = [];
  const workflow = service((ctx) => (
    <Workflow name="forking">
      <Task id="plan" output={outputs.plan} agent={agent}>
        Make a plan.
      </Task>
      <Loop id="rounds" maxIterations={2} continueAsNewEvery={1}>
        <Task id="round" output={outputs.round}>
          {{ sum: 1 }}
        </Task>
      </Loop>
      <Task id="second" output={outputs.plan} agent={agent} fork="plan">
        {`Continue after ${ctx.iterationCount("round", "round")} rounds.`}
      </Task>
    </Workflow>
  ));
  expect(await run(workflow)).toMatchObject({ status: "finished" });
  expect(sessions).toEqual([undefined, "session-1"]);
});
