import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("a cached row of a schema that transforms", () => {
  const length = z.string().transform((text) => text.length);
  const measured = (most: number) => ({
    answer: z.object({ text: length, n: z.number().refine((n) => n <= most) }),
  });
  const path = () => join(temporaryFolder(), "c.db");

  async function compute(schema: ReturnType<typeof measured>, dbPath: string, runId: string) {
    const { api, run, events, store } = openScene(schema, { dbPath });
    const { Workflow, Task, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="measuring">
          <Task id="measure" output={outputs.answer} cache={{}}>
            {() => ({ text: "loom", n: 5 })}
          </Task>
        </Workflow>
      )),
      { runId },
    );
    const [finished] = await events("NodeFinished", runId);
    const row = await store.getOutput(runId, "answer", "measure", 0);
    return { cached: finished?.cached ?? false, text: row?.["text"] };
  }

  it("is used, although the schema would not take its own result", async () => {
    const dbPath = path();
    expect(await compute(measured(9), dbPath, "a")).toEqual({ cached: false, text: 4 });
    expect(await compute(measured(9), dbPath, "b")).toEqual({ cached: true, text: 4 });
  });

  it("is not used once one of its other fields no longer fits", async () => {
    const dbPath = path();
    await compute(measured(9), dbPath, "a");
    const stricter = measured(4);
    expect((await compute(stricter, dbPath, "b")).cached).toBe(false);
  });
});
