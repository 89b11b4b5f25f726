import { createService } from "treadle";
import { testWorkflow, type WorkflowMatchers, workflowMatchers } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

declare module "vitest" {
  interface Matchers<T> extends WorkflowMatchers<T> {}
}
expect.extend(workflowMatchers);

const { Workflow, Task, Loop, service, outputs } = createService({ output: z.object({ done: z.boolean() }) });

const workflow = service(() => (
  <Workflow name="short">
    <Task id="end" output={outputs.output}>
      {{ done: true }}
    </Task>
  </Workflow>
));

async function finished() {
  const run = testWorkflow(workflow);
  await run.run();
  return run;
}

describe("the matchers, added to vitest", () => {
  it("pass for what is so", async () => {
    const run = await finished();
    expect(run).toHaveStatus("finished");
    expect(run).not.toHaveStatus("failed");
    await expect(run).toHaveTask("end");
    await expect(run).toHaveTask("end", { state: "finished", attempts: 1, iteration: 0 });
    await expect(run).not.toHaveTask("other");
    await expect(run).toMatchGraph('<Workflow name="short"><Task id="end" output="output" /></Workflow>');
  });

  it("say what is instead", async () => {
    const run = await finished();
    expect(() => expect(run).toHaveStatus("failed")).toThrow("expected the run to be failed; it is finished");
    await expect(expect(run).toHaveTask("end", { attempts: 2 })).rejects.toThrow(
      "expected task end to be attempts 2; it is finished after 1 attempt(s)",
    );
    await expect(expect(run).toHaveTask("end", { iteration: 3 })).rejects.toThrow(
      "it exists at iterations 0",
    );
    await expect(expect(run).toMatchGraph("<other />")).rejects.toThrow("expected the last frame to be");
  });

  it("look at every iteration where none is named", async () => {
    const repeated = service(() => (
      <Workflow name="repeated">
        <Loop id="again" until={false} maxIterations={2} onMaxReached="return-last">
          <Task id="end" output={outputs.output} retries={0} continueOnFail>
            {(_inputs, { iteration }) => {
              if (iteration === 1) throw new Error("not twice");
              return { done: true };
            }}
          </Task>
        </Loop>
      </Workflow>
    ));
    const run = testWorkflow(repeated);
    await run.run();
    await expect(run).toHaveTask("end", { state: "failed" });
    await expect(run).toHaveTask("end", { state: "finished" });
    await expect(run).not.toHaveTask("end", { state: "failed", iteration: 0 });
    await expect(expect(run).toHaveTask("end", { attempts: 2 })).rejects.toThrow(
      "iteration 0 is finished after 1 attempt(s), iteration 1 is failed after 1 attempt(s)",
    );
  });

  it("are for runs, statuses and states: the compiler refuses others", async () => {
    const run = await finished();
    // @ts-expect-error a status of no run
    expect(run).not.toHaveStatus("done");
    // @ts-expect-error no state
    await expect(expect(run).toHaveTask("end", { state: "done" })).rejects.toThrow("state");
    // @ts-expect-error the run's result, not the run
    expect(() => expect(run.result).toHaveStatus("finished")).toThrow(TypeError);
  });
});
