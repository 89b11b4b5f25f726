import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

it("a secret of the environment that a task throws is neither stored nor told", async () => {
  const secret = "zebra-4711-quartz";
  vi.stubEnv("MY_API_KEY", secret);
  const { api, run, path, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="leaks">
      <Task id="leak" output={outputs.row} retries={0}>
        {() => {
          throw new Error(`401 for key ${secret}`, { cause: new TypeError(`no ${secret}`) });
        }}
      </Task>
    </Workflow>
  ));
  const result = await run(workflow);
  expect(JSON.stringify(result.error)).toContain("401 for key [redacted]");
  expect(JSON.stringify([result, await store.listEvents("run", { limit: 100 })])).not.toContain(secret);
  await store.close();
  expect(readFileSync(path).includes(secret)).toBe(false);
});
