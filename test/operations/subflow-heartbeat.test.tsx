import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Task, Subflow, service, outputs } = createService({
  step: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
});

/** A child of three steps, each of which fails once and waits so long for its retry. */
function failingOnce(retryDelayMs: number) {
  const policy = { backoff: "fixed", initialDelayMs: retryDelayMs } as const;
  const failed = new Set<string>();
  const once = (id: string) => {
    if (failed.has(id)) return { n: 1 };
    failed.add(id);
    throw new Error("not yet");
  };
  const child = service(() => (
    <Workflow name="child">
      <Sequence>
        <Task id="a" output={outputs.step} retries={1} retryPolicy={policy}>
          {() => once("a")}
        </Task>
        <Task id="b" output={outputs.step} retries={1} retryPolicy={policy}>
          {() => once("b")}
        </Task>
        <Task id="c" output={outputs.output} retries={1} retryPolicy={policy}>
          {() => once("c")}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} heartbeatTimeoutMs={1_500} retries={0} />
    </Workflow>
  ));
}

test("what a child run gets done counts as a heartbeat of its subflow", async () => {
  const run = testWorkflow(failingOnce(1_000));
  await run.run();
  expect((await run.advance("10s")).status).toBe("finished");
});

test("a child run that is silent for longer than the limit fails its subflow", async () => {
  const run = testWorkflow(failingOnce(5_000));
  await run.run();
  const { status, error } = await run.advance("30s");
  expect(status).toBe("failed");
  expect(error?.code).toBe("TASK_HEARTBEAT_TIMEOUT");
});
