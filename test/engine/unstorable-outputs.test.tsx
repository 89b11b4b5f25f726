import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MAX_OUTPUT_BYTES } from "../../src/store/limits.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  text: z.object({ text: z.string() }),
  free: z.object({ value: z.any() }),
  strict: z.object({ count: z.number().int().min(1), tags: z.array(z.string()) }),
};

/** A task that returns `make()`, with retries to spare. */
async function returning(outputKey: keyof typeof schemas, make: () => unknown) {
  const scene = openScene(schemas);
  const { Workflow, Task, service } = scene.api;
  let ran = 0;
  const result = await scene.run(
    service(() => (
      <Workflow name="returns">
        <Task id="work" output={outputKey} retries={3} retryPolicy={{}}>
          {() => {
            ran += 1;
            return make() as never;
          }}
        </Task>
      </Workflow>
    )),
  );
  return { ...scene, result, ran: () => ran };
}

describe("a row that does not fit its schema", () => {
  it.each<[string, unknown, string[]]>([
    ["missing fields", {}, ["count", "tags"]],
    ["a value of another type", { count: "1", tags: [] }, ["count"]],
    ["a value out of range", { count: 0, tags: [] }, ["count"]],
    ["a wrong member of a list", { count: 1, tags: ["a", 2] }, ["tags.1"]],
    ["nothing", undefined, ["(row)"]],
    ["a list", [1], ["(row)"]],
    ["text", "row", ["(row)"]],
  ])("with %s fails at once, names every field, and leaves no row", async (_what, row, paths) => {
    const scene = await returning("strict", () => row);
    expect(scene.result).toMatchObject({
      status: "failed",
      error: { code: "INVALID_OUTPUT", details: { nodeId: "work", outputKey: "strict", attempt: 1 } },
    });
    for (const path of paths) expect(scene.result.error?.message).toContain(`${path}:`);
    expect(scene.ran()).toBe(1);
    expect(await scene.store.listOutputs("run", "strict")).toEqual([]);
  });
});

describe("a row that cannot be stored", () => {
  it.each<[string, () => unknown]>([
    ["a function", () => () => 1],
    ["a class instance", () => new (class Thing {})()],
    ["a Map", () => new Map()],
    ["a symbol", () => Symbol("x")],
    [
      "a circle",
      () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      },
    ],
  ])("because it holds %s fails at once and says where", async (_what, make) => {
    const scene = await returning("free", () => ({ value: { deep: [make()] } }));
    expect(scene.result).toMatchObject({
      status: "failed",
      error: { code: "INVALID_OUTPUT", details: { nodeId: "work" } },
    });
    expect(scene.result.error?.message).toMatch(/Task work .*"value\.deep\[0\](\.self)?"/);
    expect(scene.ran()).toBe(1);
    expect(await scene.store.listOutputs("run", "free")).toEqual([]);
  });

  it("because it is one byte too large fails at once with node, field, size and limit", async () => {
    const scene = await returning("text", () => ({ text: "x".repeat(MAX_OUTPUT_BYTES + 1) }));
    expect(scene.result.error).toMatchObject({ code: "INVALID_OUTPUT" });
    const said = scene.result.error?.message;
    for (const fact of ["work", "text", String(MAX_OUTPUT_BYTES + 1), String(MAX_OUTPUT_BYTES)]) {
      expect(said).toContain(fact);
    }
    expect(scene.ran()).toBe(1);
    expect(await scene.store.listOutputs("run", "text")).toEqual([]);
  });

  it("may be exactly as large as the limit", async () => {
    const scene = await returning("text", () => ({ text: "x".repeat(MAX_OUTPUT_BYTES) }));
    expect(scene.result.status).toBe("finished");
    expect((await scene.store.getOutput("run", "text", "work", 0))?.["text"]).toHaveLength(MAX_OUTPUT_BYTES);
  });
});

describe("a static row that does not fit", () => {
  it("fails its task, not the whole frame", async () => {
    const { api, run, node } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="static">
          <Task id="bad" output={outputs.strict} continueOnFail>
            {{ count: 0, tags: [] }}
          </Task>
          <Task id="good" output={outputs.text}>
            {{ text: "on" }}
          </Task>
        </Workflow>
      )),
    );
    expect(result).toMatchObject({ status: "finished", failedChildKeys: ["bad::0"] });
    expect(await node("bad")).toMatchObject({ lastAttempt: 1, error: { code: "INVALID_OUTPUT" } });
  });
});
