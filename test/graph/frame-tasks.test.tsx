import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";
import { applyDelta } from "../../src/graph/frame-delta.js";

it("a stored frame says what each task waits for and which caps hold for it", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, Loop, Parallel, MergeQueue, Sequence, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waits">
      <Task id="free" output={outputs.row}>
        {{ n: 1 }}
      </Task>
      <Parallel id="wide" maxConcurrency={2}>
        <Task id="after" output={outputs.row} dependsOn={["free"]} needs={{ row: "free" }}>
          {{ n: 1 }}
        </Task>
        <MergeQueue id="queue">
          <Loop id="outer" maxIterations={1}>
            <Sequence>
              <Loop id="inner" maxIterations={1}>
                <Task id="first" output={outputs.row}>
                  {{ n: 1 }}
                </Task>
                <Task id="second" output={outputs.row} deps={{ first: outputs.row }}>
                  {() => ({ n: 1 })}
                </Task>
              </Loop>
            </Sequence>
          </Loop>
        </MergeQueue>
      </Parallel>
    </Workflow>
  ));
  await scene.run(workflow);
  const { tasks } = applyDelta((await scene.store.snapshotChain("run", 1)) ?? []);
  const wide = { groupId: "wide", limit: 2 };
  const queue = { groupId: "queue", limit: 1 };
  expect(tasks.map(({ nodeId, dependsOn, caps }) => [nodeId, dependsOn, caps])).toEqual([
    ["free", undefined, undefined],
    ["after", ["free"], [wide]],
    ["first@@outer=0", undefined, [wide, queue]],
    ["second@@outer=0", ["first@@outer=0"], [wide, queue]],
  ]);
});
