import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MAX_CONTINUATION_BYTES } from "../../../src/store/limits.js";
import { openScene } from "../../support/engine/scene.js";

/** A run that continues once, with the given state, and then ends. */
async function carrying(state: unknown) {
  const scene = openScene({ output: z.object({ length: z.number() }) });
  const { Workflow, Branch, ContinueAsNew, Task, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="carrying">
      <Branch
        if={ctx.continuation === undefined}
        then={<ContinueAsNew state={state} />}
        else={
          <Task id="end" output={outputs.output}>
            {() => ({ length: JSON.stringify(ctx.continuation).length })}
          </Task>
        }
      />
    </Workflow>
  ));
  return { scene, workflow, result: await scene.run(workflow) };
}

/** Text that is JSON of so many bytes inside `{"pages":[…]}`. */
const pages = (size: number) => ({ pages: ["x".repeat(size - '{"pages":[""]}'.length)] });

describe("the state for the next run", () => {
  it("may be exactly as large as the limit", async () => {
    const { result } = await carrying(pages(MAX_CONTINUATION_BYTES));
    expect(result).toMatchObject({ status: "finished", output: { length: MAX_CONTINUATION_BYTES } });
  });

  it("one byte larger ends the run at once, with field, size and limit", async () => {
    const { result, scene } = await carrying(pages(MAX_CONTINUATION_BYTES + 1));
    expect(result).toMatchObject({ status: "failed", error: { code: "CONTINUATION_STATE_TOO_LARGE" } });
    for (const fact of ["ContinueAsNew", "pages[0]", MAX_CONTINUATION_BYTES + 1, MAX_CONTINUATION_BYTES]) {
      expect(result.error?.message).toContain(String(fact));
    }
    expect(result.error?.details).toMatchObject({ path: "pages[0]", sizeBytes: MAX_CONTINUATION_BYTES + 1 });
    expect(await scene.store.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    [
      "a circle",
      () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      },
    ],
    ["a function", () => () => 1],
    ["a bigint", () => ({ n: 1n })],
  ])("that is %s ends the run at once", async (_what, make) => {
    const { result, scene } = await carrying(make());
    expect(result).toMatchObject({ status: "failed", error: { code: "INVALID_CONTINUATION_STATE" } });
    expect(await scene.store.getRun("run")).toMatchObject({ status: "failed", ownerId: null });
  });

  it.each<[unknown, string]>([
    [new Map([[1, 2]]), "a Map"],
    [new Set([1]), "a Set"],
    [() => 1, "a function"],
    [Number.NaN, "NaN"],
  ])("with a value that JSON would lose ends the run and names it with its path: %#", async (value, what) => {
    const { result, scene } = await carrying({ cursor: [{ seen: value }] });
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "INVALID_CONTINUATION_STATE", details: { runId: "run", path: "cursor[0].seen" } },
    });
    expect(result.error?.message).toContain("ContinueAsNew");
    expect(result.error?.message).toContain(`"cursor[0].seen" is ${what}`);
    expect(await scene.store.listRuns({ limit: 10 })).toHaveLength(1);
  });
});
