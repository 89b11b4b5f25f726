import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { row: z.object({ said: z.string() }) };

it("a task's function can ask why another task has failed, in its own round of a loop", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Sequence, Loop, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Loop id="outer" maxIterations={2}>
        <Sequence>
          <Loop id="inner" maxIterations={1}>
            <Task id="try" output={outputs.row} retries={0} continueOnFail>
              {(_rows, { nodeId }) => {
                if (nodeId.endsWith("=0")) throw new Error("Not this time.");
                return { said: "done" };
              }}
            </Task>
          </Loop>
          <Task id="ask" output={outputs.row}>
            {(_rows, { failure }) => ({
              said: `${failure("try")?.message ?? "no failure"}, ${failure("nobody")?.message ?? "no failure"}`,
            })}
          </Task>
        </Sequence>
      </Loop>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
  const rows = await store.listOutputs("run", "row");
  expect(rows.filter(({ nodeId }) => nodeId === "ask").map(({ said }) => said)).toEqual([
    "Not this time., no failure",
    "no failure, no failure",
  ]);
});
