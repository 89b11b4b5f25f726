import { createService, runWorkflow, type ServiceError, signalRun } from "treadle";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService(
  {
    input: z.object({ any: z.unknown().optional() }),
    any: z.object({ value: z.unknown() }),
    numbers: z.object({ value: z.array(z.number()) }),
    small: z.object({ count: z.number() }),
    text: z.object({ value: z.string() }),
  },
  { dbPath: ":memory:" },
);
const { Workflow, Task, Signal, outputs, service } = api;

const many = (n: number) => Array.from({ length: n }, () => "x");

async function returning(output: unknown, value: unknown) {
  const workflow = service(() => (
    <Workflow name="returns">
      <Task id="task" output={output as typeof outputs.any} retries={3}>
        {() => value as { value: unknown }}
      </Task>
    </Workflow>
  ));
  return runWorkflow(workflow, { input: {} });
}

/** Reading, checking, writing and searching values like these took up to thirty seconds, in which nothing else moved. */
describe("a value of far too many members", () => {
  it.each([
    ["of any kind", outputs.any],
    ["that would not fit, with an issue for each item", outputs.numbers],
  ])("is refused before a schema reads it, and is not tried again: a row %s", async (_, output) => {
    const { error } = await returning(output, { value: many(4_500_000) });
    expect(error).toMatchObject({
      code: "INVALID_OUTPUT",
      details: { path: "value", limit: 8 * 1024 * 1024 },
    });
  });

  it("is refused before it is written where it is just too large", async () => {
    const { error } = await returning(outputs.any, { value: many(2_200_000).map(() => 1) });
    expect(error).toMatchObject({ code: "INVALID_OUTPUT", details: { path: "", limit: 4 * 1024 * 1024 } });
  });

  it("does no harm where the schema leaves it out", async () => {
    const { status } = await returning(outputs.small, { count: 1, rest: many(4_500_000) });
    expect(status).toBe("finished");
  });

  it("is refused as an input and as a signal", async () => {
    const workflow = service(() => (
      <Workflow name="waits">
        <Signal id="go" schema={outputs.any} />
      </Workflow>
    ));
    const { runId } = await runWorkflow(workflow, { input: {} });
    const refusals = await Promise.all([
      runWorkflow(workflow, { input: { any: many(600_000) } }).catch((error: ServiceError) => error),
      signalRun(workflow, { runId, signal: "go", data: { value: many(600_000) } }).catch(
        (error: ServiceError) => error,
      ),
    ]);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { path: "" } });
  });

  it("is no long text: its field and size are said", async () => {
    const { error } = await returning(outputs.text, { value: "x".repeat(5_000_000) });
    expect(error?.message).toContain('Its largest field is "value" with 5000000 bytes.');
  });
});
