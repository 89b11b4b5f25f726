import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { retryTask, runWorkflow } from "../../../src/index.js";
import { type WorkspaceChange, WorkspaceFeed } from "../../../src/operations/read/workspace-feed.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { openScene } from "../../support/engine/scene.js";

it("a run that had ended, and begins and ends again between two looks, is named", async () => {
  const { api, store } = openScene({ output: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="failing">
      <Task id="fetch" output={outputs.output} retries={0}>
        {() => {
          throw new Error("refused");
        }}
      </Task>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  const clock = new VirtualClock();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const feed = new WorkspaceFeed({ pollMs: 0, clock });
  const changes = feed.read([store], { kinds: ["runs"], signal: stop.signal });
  expect((await changes.next()).value).toEqual({ kind: "all", ids: null });
  const next = changes.next();
  await retryTask(workflow, { runId: "run", nodeId: "fetch" });
  expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("failed");
  clock.moveTo(clock.now() + 100);
  expect((await next).value).toEqual({ kind: "runs", ids: ["run"] } satisfies WorkspaceChange);
});
