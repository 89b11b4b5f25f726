import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { scriptedAgent } from "../support/engine/scripted-agent.js";

it("what an agent has cost that a stop cut off is recorded, and its attempt does not count", async () => {
  const scene = openScene({ note: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const agent = scriptedAgent(
    "writer",
    [
      { text: "no JSON", usage: { inputTokens: 7, outputTokens: 3 } },
      ({ abortSignal }: { abortSignal?: AbortSignal }) => scene.time.pause(60_000, abortSignal),
    ],
    { native: false },
  );
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="t" agent={agent} output={outputs.note}>
        Write.
      </Task>
    </Workflow>
  ));
  const controller = new AbortController();
  const driving = scene.drive(workflow, { signal: controller.signal });
  await scene.time.advance(10);
  controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
  await scene.time.until(driving);
  expect(await scene.events("TokenUsageReported")).toMatchObject([{ inputTokens: 7, outputTokens: 3 }]);
  expect(await scene.attempts("t")).toMatchObject([{ state: "interrupted" }]);
});
