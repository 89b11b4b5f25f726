import { createService } from "treadle";
import { testWorkflow, workflowMatchers } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Task, service, outputs } = createService({ page: z.object({ text: z.string() }) });
const workflow = service(() => (
  <Workflow name="pages">
    <Task id="draft" output={outputs.page}>
      {{ text: "a" }}
    </Task>
  </Workflow>
));

const refusal = (option: string, more: RegExp | string) =>
  expect.objectContaining({
    code: "INVALID_INPUT",
    message: expect.stringMatching(more),
    details: expect.objectContaining({ option }),
  });

describe("options of testWorkflow", () => {
  it.each([
    ["agent", { agent: {} }, /did you mean agents\?/],
    ["agents", { agents: { draft: "text" } }, /by task id/],
    ["agents", { agents: { draft: [] } }, /lists of rows/],
    ["clock", { clock: { now: () => 0 } }, /a VirtualClock/],
    ["options", { options: { runId: "mine" } }, /other than input, runId, resume, signal/],
  ])("are refused where there is none of that kind: %s in %j", (option, options, words) => {
    expect(() => testWorkflow(workflow, options as never)).toThrow(refusal(option, words));
  });

  it("are passed on to the run, which refuses what it does not know", async () => {
    const test = testWorkflow(workflow, { options: { maxConcurency: 1 } as never });
    await expect(test.run()).rejects.toEqual(refusal("maxConcurency", /did you mean maxConcurrency\?/));
  });
});

describe("options of a workflow under test", () => {
  it.each([
    ["when", { commit: 1, when: "befor" }, /one of before, after/],
    ["commit", { when: "before" }, /a positive integer/],
    ["comit", { commit: 1, when: "after", comit: 2 }, /did you mean commit\?/],
  ])("is refused as a fuse by its %s", async (option, fuse, words) => {
    await expect(testWorkflow(workflow).run(fuse as never)).rejects.toEqual(refusal(option, words));
  });

  it("is refused as a decision or a signal with unknown fields", async () => {
    const test = testWorkflow(workflow);
    await test.run();
    await expect(test.approve("draft", { notes: "fine" } as never)).rejects.toEqual(
      refusal("notes", /did you mean note\?/),
    );
    await expect(test.deny("draft", { by: "eve" } as never)).rejects.toEqual(refusal("by", /by/));
    await expect(test.signal("go", {}, { correlationID: "1" } as never)).rejects.toEqual(
      refusal("correlationID", /did you mean correlationId\?/),
    );
  });

  it("is refused as an expectation that says nothing about a task", async () => {
    const test = testWorkflow(workflow);
    await test.run();
    const { toHaveTask } = workflowMatchers;
    await expect(toHaveTask(test, "draft", { attempt: 1 } as never)).rejects.toEqual(
      refusal("attempt", /did you mean attempts\?/),
    );
    await expect(toHaveTask(test, "draft", { state: "done" as never })).rejects.toEqual(
      refusal("state", /one of/),
    );
    expect((await toHaveTask(test, "draft", { state: "finished", attempts: 1 })).pass).toBe(true);
  });
});
