import { createService } from "treadle";
import { testWorkflow, workflowMatchers } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

expect.extend(workflowMatchers);

const { Workflow, Sequence, Task, Timer, Approval, service, outputs } = createService({
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

test("a crash loses what was not committed and resume goes on from the rest", async () => {
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
