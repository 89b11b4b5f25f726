import { createService, type ServiceWorkflow } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Branch, Task, Timer, Approval, Subflow, ContinueAsNew, service, outputs } =
  createService({
    draft: z.object({ text: z.string() }),
    decision: z.object({
      approved: z.boolean(),
      note: z.string().nullable(),
      decidedBy: z.string().nullable(),
      decidedAt: z.string().nullable(),
    }),
    output: z.object({ done: z.boolean() }),
  });

const writer = { id: "writer", generate: async () => ({ text: "from the real agent" }) };

const workflow = service(() => (
  <Workflow name="publish">
    <Sequence>
      <Task id="draft" output={outputs.draft} agent={writer}>
        Write a page about tests.
      </Task>
      <Approval id="publish" output={outputs.decision} request={{ title: "Publish it?" }} />
      <Timer id="embargo" duration="7d" />
      <Task id="done" output={outputs.output}>
        {{ done: true }}
      </Task>
    </Sequence>
  </Workflow>
));

function nesting(child: ServiceWorkflow): ServiceWorkflow {
  return service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} />
    </Workflow>
  ));
}

const agents = { draft: { text: "a page" } };

test("a run with a mock, an approval and a week of waiting ends in milliseconds", async () => {
  const run = testWorkflow(workflow, { agents });
  await run.run();
  expect(run.result.status).toBe("waiting-approval");
  expect(run.prompt("draft")).toContain("Write a page about tests.");
  await run.approve("publish", { decidedBy: "ada" });
  expect(run.result.status).toBe("waiting-timer");
  await run.advance("6d");
  expect(run.result.status).toBe("waiting-timer");
  await run.advance("1d");
  expect(run.result.output).toEqual({ done: true });
});

test("a crash loses what was not committed and resume continues from the rest", async () => {
  const run = testWorkflow(workflow, { agents });
  await run.run({ commit: 2, when: "before" });
  expect(run.result.status).toBe("running");
  await run.resume();
  expect(run.result.status).toBe("waiting-approval");
  const draft = (await run.tasks()).find((task) => task.nodeId === "draft");
  expect(draft).toMatchObject({ state: "finished", attempts: 2 });
});

test("a mock whose row the schema refuses fails the task", async () => {
  const run = testWorkflow(workflow, { agents: { draft: { words: 3 } } });
  await run.run();
  expect(run.result.status).toBe("failed");
  expect(run.result.error?.message).toContain("mock for draft");
});

test("a long sequence of tasks that do not await is driven to its end", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `step-${index}`);
  const long = service(() => (
    <Workflow name="long">
      <Sequence>
        {ids.map((id) => (
          <Task key={id} id={id} output={outputs.draft}>
            {() => ({ text: id })}
          </Task>
        ))}
      </Sequence>
    </Workflow>
  ));
  const run = testWorkflow(long);
  expect((await run.run()).status).toBe("finished");
  expect(await run.tasks()).toHaveLength(40);
});

test("a run whose child waits for its next attempt stands still until time moves", async () => {
  const child = service(() => (
    <Workflow name="child">
      <Task id="flaky" output={outputs.output} retryPolicy={{ backoff: "fixed", initialDelayMs: 60_000 }}>
        {(_deps, runtime) => {
          if (runtime.attempt === 1) throw new Error("not yet");
          return { done: true };
        }}
      </Task>
    </Workflow>
  ));
  const run = testWorkflow(nesting(child));
  await run.run();
  expect(run.result.status).toBe("running");
  await run.advance("59s");
  expect(run.result.status).toBe("running");
  await run.advance("1s");
  expect(run.result.output).toEqual({ done: true });
});

test("a child's timer wakes the run that waits for it", async () => {
  const child = service(() => (
    <Workflow name="child">
      <Sequence>
        <Timer id="pause" duration="2h" />
        <Task id="after" output={outputs.output}>
          {{ done: true }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const run = testWorkflow(nesting(child));
  await run.run();
  expect(run.result.status).toBe("waiting-timer");
  await run.advance("3h");
  expect(run.result.output).toEqual({ done: true });
});

test("a crash takes child runs with it", async () => {
  let calls = 0;
  const child = service(() => (
    <Workflow name="child">
      <Task id="slow" output={outputs.output}>
        {async (_deps, { signal }) => {
          calls += 1;
          if (calls === 1) await new Promise((_resolve, reject) => signal.addEventListener("abort", reject));
          return { done: true };
        }}
      </Task>
    </Workflow>
  ));
  const run = testWorkflow(nesting(child));
  const started = run.run();
  await expect.poll(() => calls).toBe(1);
  await run.crash();
  await started;
  expect(run.result.status).toBe("running");
  await run.resume();
  expect(run.result.output).toEqual({ done: true });
  expect(calls).toBe(2);
});

test("decisions are made at the time of the test's clock", async () => {
  const run = testWorkflow(workflow, { agents });
  await run.run();
  await run.advance("3h");
  await run.approve("publish");
  const decision = (await run.tasks()).find(({ nodeId }) => nodeId === "publish")?.output;
  expect(decision).toMatchObject({ decidedAt: "2026-01-01T03:00:00.000Z" });
});

test("a run that has gone on as another is decided and advanced there", async () => {
  const paged = service((ctx) => (
    <Workflow name="paged">
      <Sequence>
        <Approval id="page" output={outputs.decision} request={{ title: "This page?" }} />
        <Timer id="pause" duration="1h" />
        <Branch
          if={ctx.continuation === undefined}
          then={<ContinueAsNew state={2} />}
          else={
            <Task id="done" output={outputs.output}>
              {{ done: true }}
            </Task>
          }
        />
      </Sequence>
    </Workflow>
  ));
  const run = testWorkflow(paged);
  await run.run();
  await run.approve("page");
  await run.advance("1h");
  expect(run.result.status).toBe("waiting-approval");
  await run.approve("page");
  await run.advance("1h");
  expect(run.result.output).toEqual({ done: true });
});
