import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const everything = z.object({
  text: z.string(),
  integer: z.number().int(),
  fraction: z.number(),
  flag: z.boolean(),
  when: z.date(),
  big: z.bigint(),
  list: z.array(z.object({ at: z.date(), tag: z.string().optional() })),
  map: z.record(z.string(), z.number()),
  either: z.union([z.string(), z.number(), z.null()]),
  kind: z.enum(["a", "b"]),
  missing: z.string().optional(),
  empty: z.string().nullable(),
  withDefault: z.string().default("filled in"),
});

const VALUE = {
  text: "über\u0000 \u{1f600} 'quoted'",
  integer: -7,
  fraction: 0.1 + 0.2,
  flag: false,
  when: new Date("2026-03-29T01:30:00.123Z"),
  big: 2n ** 80n,
  list: [{ at: new Date(0), tag: "x" }, { at: new Date(1) }],
  map: { "a b": 1, __proto: 2 },
  either: null,
  kind: "b" as const,
  empty: null,
};

const schemas = {
  input: z.object({ name: z.string(), tags: z.array(z.string()).nullish(), due: z.date().optional() }),
  everything,
  look: z.object({ ok: z.boolean() }),
};

/** A row of every type, and what a later task sees of it in the process that wrote it and in the next one. */
async function seeTwice(input: { name: string; tags?: string[] | null; due?: Date }) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const seen: unknown[] = [];
  const inputs: unknown[] = [];
  let broken = true;
  const workflow = service((ctx) => {
    const read = ctx.outputMaybe("everything", { nodeId: "write" });
    return (
      <Workflow name="values">
        <Task id="write" output={outputs.everything}>
          {() => VALUE}
        </Task>
        <Task id="look" output={outputs.look} deps={{ write: outputs.everything }} retries={0}>
          {({ write }) => {
            seen.push({ ...write }, read && { ...read }, { ...ctx.outputs.everything[0] });
            inputs.push({ ...ctx.input });
            if (broken) throw new Error("broken");
            return { ok: true };
          }}
        </Task>
      </Workflow>
    );
  });
  await scene.run(workflow, { input });
  broken = false;
  expect((await scene.resume(workflow)).status).toBe("finished");
  return { seen, inputs };
}

describe("a row", () => {
  it("is the same through ctx and deps, in the process that wrote it and in the next one", async () => {
    const { seen } = await seeTwice({ name: "Ada" });
    expect(seen).toHaveLength(6);
    for (const row of seen) expect(row).toEqual({ ...VALUE, withDefault: "filled in" });
    for (const row of seen) expect(Object.keys(row as object)).toEqual(Object.keys(seen[0] as object));
  });

  it("is not the object the task returned: what the task does to it later is not seen", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const mine = { ...VALUE, map: { a: 1 } };
    let seen: unknown;
    await run(
      service(() => (
        <Workflow name="values">
          <Task id="write" output={outputs.everything}>
            {() => {
              queueMicrotask(() => {
                mine.map.a = 99;
                mine.text = "changed";
              });
              return mine;
            }}
          </Task>
          <Task id="look" output={outputs.look} deps={{ write: outputs.everything }}>
            {({ write }) => {
              seen = write;
              return { ok: true };
            }}
          </Task>
        </Workflow>
      )),
      { input: { name: "Ada" } },
    );
    expect(seen).toMatchObject({ text: VALUE.text, map: { a: 1 } });
  });
});

describe("the input", () => {
  it.each([
    ["absent fields", { name: "Ada" }],
    ["null", { name: "Ada", tags: null }],
    ["lists and dates", { name: "Ada", tags: ["x", ""], due: new Date("2026-01-02") }],
  ])("with %s is the same in the process that was given it and in the next one", async (_what, input) => {
    const { inputs } = await seeTwice(input);
    expect(inputs[0]).toEqual(input);
    expect(inputs[1]).toEqual(inputs[0]);
    expect(Object.keys(inputs[1] as object)).toEqual(Object.keys(inputs[0] as object));
  });
});
