import { expect, it } from "vitest";
import { z } from "zod";
import type { AgentLike } from "../../src/index.js";
import { deferred } from "../../src/util/deferred.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { row: z.object({ v: z.number() }) };

it("a loop without a limit that skips all its tasks fails instead of turning for ever", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Loop, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="dry">
      <Loop id="rounds" maxIterations={Number.POSITIVE_INFINITY}>
        <Task id="work" output={outputs.row} skipIf>
          {{ v: 1 }}
        </Task>
      </Loop>
    </Workflow>
  ));
  const { status, error } = await run(workflow);
  expect([status, error?.code]).toEqual(["failed", "SCHEDULER_ERROR"]);
  expect(error?.message).toContain("rounds");
});

it("a loop without a limit may wait in vain for as many signals as it likes", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Parallel, Sequence, Loop, Task, WaitForEvent, outputs, service } = api;
  const patience = deferred<void>();
  const workflow = service((ctx) => {
    return (
      <Workflow name="patient">
        <Parallel>
          <Task id="keeps-the-run-awake" output={outputs.row}>
            {() => patience.promise.then(() => ({ v: 1 }))}
          </Task>
          <Sequence>
            <Loop id="rounds" maxIterations={Number.POSITIVE_INFINITY} until={ctx.iterations.rounds === 101}>
              <WaitForEvent id="ping" event="ping" output={outputs.row} timeoutMs={1} onTimeout="skip" />
            </Loop>
            <Task id="over" output={outputs.row}>
              {() => {
                patience.resolve();
                return { v: 2 };
              }}
            </Task>
          </Sequence>
        </Parallel>
      </Workflow>
    );
  });
  expect((await run(workflow)).status).toBe("finished");
});

it("a loop without a limit may skip its tasks in some iterations", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Loop, Task, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="later">
      <Loop id="rounds" maxIterations={Number.POSITIVE_INFINITY} until={ctx.outputs.row.length > 0}>
        <Task id="work" output={outputs.row} skipIf={ctx.iteration < 60}>
          {() => ({ v: ctx.iteration })}
        </Task>
      </Loop>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
  expect(await store.listOutputs("run", "row")).toEqual([{ v: 60 }]);
});

it("a loop without a limit whose budget is used up ends where the rest is skipped", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Aspects, Loop, Sequence, Task, outputs, service } = api;
  const agent: AgentLike = {
    id: "spender",
    async generate() {
      return { output: { v: 1 }, usage: { inputTokens: 30, outputTokens: 0 } };
    },
  };
  const workflow = service(() => (
    <Workflow name="bounded">
      <Sequence>
        <Aspects tokenBudget={{ max: 50, onExceeded: "skip-remaining" }}>
          <Loop id="rounds" maxIterations={Number.POSITIVE_INFINITY}>
            <Task id="work" output={outputs.row} agent={agent}>
              Continue.
            </Task>
          </Loop>
        </Aspects>
        <Task id="after" output={outputs.row}>
          {{ v: 9 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const { status, exhaustedLoops } = await run(workflow);
  expect([status, exhaustedLoops]).toEqual(["finished", ["rounds"]]);
});
