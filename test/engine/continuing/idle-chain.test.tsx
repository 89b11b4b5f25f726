import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

/** Runs of the chain before the test takes it for endless. */
const ENOUGH = 200;

it("a chain of runs that do nothing but continue can be cancelled", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, ContinueAsNew, service } = scene.api;
  const stop = new AbortController();
  const runs = new Set<string>();
  const workflow = service((ctx) => {
    runs.add(ctx.runId);
    if (runs.size === 2) setImmediate(() => stop.abort());
    return <Workflow name="idle">{runs.size < ENOUGH ? <ContinueAsNew /> : null}</Workflow>;
  });
  expect((await scene.run(workflow, { signal: stop.signal })).status).toBe("cancelled");
});
