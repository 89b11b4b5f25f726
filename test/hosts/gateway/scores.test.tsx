import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../../src/index.js";
import { openGateway } from "./support/gateway.js";

it("the scores of a run are listed with what they come to", async () => {
  const { call, rpc, until } = await openGateway((gateway, folder) => {
    const { Workflow, Task, service, outputs } = createService(
      { note: z.object({ text: z.string() }) },
      { dbPath: join(folder, "service.db") },
    );
    const scorer = { id: "style", name: "Style", description: "", score: async () => ({ score: 0.5 }) };
    const workflow = service(() => (
      <Workflow name="scored">
        <Task id="a" output={outputs.note} scorers={{ style: { scorer } }}>
          {{ text: "a" }}
        </Task>
      </Workflow>
    ));
    return gateway.register("scored", workflow);
  });
  const { runId } = (await call("launchRun", { workflow: "scored" })) as { runId: string };
  await until(runId, "finished");
  expect(await call("listScores", { runId, nodeId: "a" })).toMatchObject({
    scores: [{ runId, nodeId: "a", scorerId: "style", state: "scored", score: 0.5 }],
    nextCursor: null,
    summary: [{ scorerId: "style", count: 1, mean: 0.5 }],
  });
  expect(await rpc("listScores", { runId, node: "a" })).toMatchObject({ status: 400 });
});
