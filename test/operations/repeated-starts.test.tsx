import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

function chain() {
  const { api } = openScene({ round: z.object({ n: z.number() }), output: z.object({ n: z.number() }) });
  const { Workflow, Sequence, Loop, Task, service, outputs } = api;
  return service((ctx) => (
    <Workflow name="chain">
      <Sequence>
        <Loop
          id="rounds"
          until={(ctx.latest("round", "round")?.n ?? 0) >= 3}
          continueAsNewEvery={1}
          maxIterations={9}
        >
          <Task id="round" output={outputs.round}>
            {{ n: (ctx.latest("round", "round")?.n ?? 0) + 1 }}
          </Task>
        </Loop>
        <Task id="end" output={outputs.output}>
          {() => ({ n: ctx.latest("round", "round")?.n ?? 0 })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

describe("an equal start of a run that has continued as others", () => {
  it("returns what the first start has returned: the end of the chain", async () => {
    const workflow = chain();
    const first = await runWorkflow(workflow, { runId: "one", input: {} });
    expect(first).toMatchObject({ status: "finished", output: { n: 3 } });
    expect(await runWorkflow(workflow, { runId: "one", input: {} })).toEqual(first);
  });

  it("returns the run itself where the chain is not to be followed", async () => {
    const workflow = chain();
    const first = await runWorkflow(workflow, { runId: "one", input: {}, followContinuation: false });
    expect(first.status).toBe("continued");
    expect(await runWorkflow(workflow, { runId: "one", input: {}, followContinuation: false })).toMatchObject(
      {
        runId: "one",
        status: "continued",
        nextRunId: first.nextRunId,
      },
    );
  });
});

it("an equal start returns its run also where the workflow is named after the run or after what it is given", async () => {
  const { api } = openScene({ output: z.object({ n: z.number() }) });
  const { Workflow, Task, service, outputs } = api;
  const workflow = service((ctx) => (
    <Workflow name={`import-${ctx.runId}-${ctx.config.region}-${ctx.auth?.triggeredBy}`}>
      <Task id="end" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const auth = { triggeredBy: "ada", role: "user", scopes: [], createdAt: "2026-01-01T00:00:00Z" };
  const start = { runId: "one", input: {}, config: { region: "north" }, auth };
  const first = await runWorkflow(workflow, start);
  expect(first).toMatchObject({ status: "finished", output: { n: 1 } });
  expect(await runWorkflow(workflow, start)).toEqual(first);
});

it("a call without options is refused as such", async () => {
  for (const options of [undefined, null, 3]) {
    await expect(runWorkflow(chain(), options as never)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
});
