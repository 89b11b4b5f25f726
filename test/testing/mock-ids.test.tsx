import { createService } from "treadle";
import { createDemoAgent } from "treadle/agents";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

function scene() {
  const real = createDemoAgent();
  const generate = vi.spyOn(real, "generate");
  const { Workflow, Sequence, Task, service, outputs } = createService({
    page: z.object({ text: z.string() }),
  });
  const workflow = service((ctx) => (
    <Workflow name="pages">
      <Sequence>
        <Task id="draft" output={outputs.page} agent={real}>
          Draft.
        </Task>
        {ctx.outputs.page.length > 0 && (
          <Task id="polish" output={outputs.page} agent={real}>
            Polish.
          </Task>
        )}
      </Sequence>
    </Workflow>
  ));
  return { workflow, generate };
}

describe("mocks of a workflow under test", () => {
  it("refuse a mistyped id instead of letting the task's own agent run", async () => {
    const { workflow, generate } = scene();
    const run = testWorkflow(workflow, { agents: { darft: { text: "a" } } });
    await expect(run.run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/"draft" has no mock.*"darft"/),
    });
    expect(generate).not.toHaveBeenCalled();
  });

  it("refuse it also where the task begins only while time passes", async () => {
    const { Workflow, Sequence, Task, service, outputs } = createService({
      page: z.object({ text: z.string() }),
    });
    const real = createDemoAgent();
    const generate = vi.spyOn(real, "generate");
    let tries = 0;
    const workflow = service(() => (
      <Workflow name="later">
        <Sequence>
          <Task id="flaky" output={outputs.page} retryPolicy={{ backoff: "fixed", initialDelayMs: 60_000 }}>
            {() => {
              tries += 1;
              if (tries === 1) throw new Error("not yet");
              return { text: "a" };
            }}
          </Task>
          <Task id="draft" output={outputs.page} agent={real}>
            Draft.
          </Task>
        </Sequence>
      </Workflow>
    ));
    const run = testWorkflow(workflow, { agents: { darft: { text: "a" } } });
    await run.run();
    await expect(run.advance("2m")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/"draft" has no mock.*"darft"/),
    });
    expect(generate).not.toHaveBeenCalled();
  });

  it("may be for tasks of later frames, and leave agents to themselves once all have found their task", async () => {
    const { workflow, generate } = scene();
    const all = testWorkflow(workflow, { agents: { draft: { text: "a" }, polish: { text: "b" } } });
    expect((await all.run()).status).toBe("finished");
    expect(generate).not.toHaveBeenCalled();
    const one = testWorkflow(workflow, { agents: { draft: { text: "a" } } });
    expect((await one.run()).status).toBe("finished");
    expect(generate).toHaveBeenCalledTimes(1);
  });
});
