import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

/** Given up after so long, however busy the machine is. */
const PATIENCE_MS = 60_000;

it("a task that blocks the process keeps its run: heartbeats continue meanwhile", async () => {
  const { api, store } = openScene({ row: z.object({ beats: z.number() }) });
  const { Workflow, Sequence, Task, outputs, service } = api;
  const beatOf = () => (store.getRun("run") as { heartbeatAtMs: number } | undefined)?.heartbeatAtMs ?? 0;
  const workflow = service(() => (
    <Workflow name="blocking">
      <Sequence>
        <Task id="lives" output={outputs.row}>
          {async () => {
            const first = beatOf();
            while (beatOf() === first) await new Promise((resolve) => setTimeout(resolve, 20));
            return { beats: 1 };
          }}
        </Task>
        <Task id="blocks" output={outputs.row}>
          {() => {
            const since = Date.now();
            let beats = 0;
            let last = beatOf();
            while (beats < 2 && Date.now() - since < PATIENCE_MS) {
              if (beatOf() === last) continue;
              last = beatOf();
              beats += 1;
            }
            return { beats };
          }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  expect(await runWorkflow(workflow, { runId: "run", input: {} })).toMatchObject({ status: "finished" });
  expect(await store.getOutput("run", "row", "blocks", 0)).toMatchObject({ beats: 2 });
});
