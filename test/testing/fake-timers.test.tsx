import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

const { Workflow, Task, Timer, service, outputs } = createService({
  note: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});
const agent = { id: "agent", generate: async () => ({}) };

const workflow = service(() => (
  <Workflow name="timed">
    <Task id="a" output={outputs.note}>
      {async () => ({ text: "made" })}
    </Task>
    <Timer id="nap" duration="1h" />
    <Task id="b" output={outputs.output} agent={agent} deps={{ a: outputs.note }}>
      Ask.
    </Task>
  </Workflow>
));
const tested = () => testWorkflow(workflow, { agents: { b: { text: "mocked" } } });

describe("the test kit where a test has replaced the timers", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.resetModules();
  });

  it("works as ever, in its own time", async () => {
    vi.useFakeTimers();
    const test = tested();
    expect((await test.run()).status).toBe("waiting-timer");
    await test.advance("1h");
    expect(test.result).toMatchObject({ status: "finished", output: { text: "mocked" } });
  });

  it("works where microtasks are replaced as well, while the run waits", async () => {
    const test = tested();
    await test.run();
    vi.useFakeTimers({
      toFake: ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Date", "performance"],
    });
    await test.advance("1h");
    expect(test.result).toMatchObject({ status: "finished", output: { text: "mocked" } });
  });

  it("says so where they were replaced before it was loaded", async () => {
    vi.useFakeTimers();
    vi.resetModules();
    const late = await import("treadle/testing");
    expect(() => late.testWorkflow(workflow)).toThrow("import treadle/testing before vi.useFakeTimers()");
  });
});
