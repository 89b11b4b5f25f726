import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type RunAuthContext, useCtx, type WorkflowContext } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  step: z.object({ n: z.number() }),
  list: z.object({ items: z.array(z.unknown()) }),
};

/** Runs `a` to `c`, and shows `look` the context of a frame in which they have rows. */
async function lookAt<T>(look: (ctx: WorkflowContext<typeof schemas>) => T, auth?: RunAuthContext) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const looks: T[] = [];
  const workflow = service((ctx) => {
    if (ctx.outputs.step.length === 3) looks.push(look(ctx));
    return (
      <Workflow name="look">
        {["a", "b", "c"].map((id, n) => (
          <Task key={id} id={id} output={outputs.step}>
            {{ n }}
          </Task>
        ))}
      </Workflow>
    );
  });
  const result = await scene.run(workflow, { input: { topic: "tea" }, ...(auth && { auth }) });
  expect(result.error).toBeUndefined();
  return looks[0] as T;
}

describe("ctx", () => {
  it("knows the run, its input and who started it", async () => {
    const auth: RunAuthContext = {
      triggeredBy: "ada",
      role: "operator",
      scopes: ["run:write"],
      createdAt: "2026-01-01T00:00:00.000Z",
    };
    const seen = await lookAt(
      ({ runId, input, auth, iteration, iterations, continuation }) => ({
        runId,
        input,
        auth,
        iteration,
        iterations,
        continuation,
      }),
      auth,
    );
    expect(seen).toEqual({
      runId: "run",
      input: { topic: "tea" },
      auth,
      iteration: 0,
      iterations: {},
      continuation: undefined,
    });
    expect(await lookAt(({ auth }) => auth)).toBeNull();
  });

  it("cannot be written to", async () => {
    const errors = await lookAt((ctx) => {
      const attempts = [
        () => Object.assign(ctx.input, { topic: "coffee" }),
        () => Array.prototype.push.call(ctx.outputs.step, { n: 9 }),
      ];
      return attempts.map((attempt) => {
        try {
          attempt();
          return "written";
        } catch (error) {
          return (error as Error).name;
        }
      });
    });
    expect(errors).toEqual(["TypeError", "TypeError"]);
  });

  it("lists the rows of a table by key, by call, in order of completion", async () => {
    const seen = await lookAt((ctx) => [
      ctx.outputs.step.map(({ n }) => n),
      ctx.outputs("step").map(({ nodeId }) => nodeId),
      ctx.outputs.list,
      Object.keys(ctx.outputs),
    ]);
    expect(seen).toEqual([[0, 1, 2], ["a", "b", "c"], [], ["step", "list"]]);
  });

  it("finds a row by the schema key, the schema object and the table", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, tables, service } = scene.api;
    let found: unknown[] = [];
    await scene.run(
      service((ctx) => {
        const key = { nodeId: "a" };
        found = [
          ctx.outputMaybe("step", key),
          ctx.outputMaybe(outputs.step, key),
          ctx.outputMaybe(tables.step, key),
          ctx.resolveRow("step", key),
        ];
        return (
          <Workflow name="targets">
            <Task id="a" output={outputs.step}>
              {{ n: 5 }}
            </Task>
          </Workflow>
        );
      }),
      { input: { topic: "tea" } },
    );
    expect(found).toEqual([{ n: 5 }, { n: 5 }, { n: 5 }, { n: 5 }]);
  });

  it("gives the row with its address, which does not get in the way", async () => {
    const row = await lookAt((ctx) => ctx.output("step", { nodeId: "b" }));
    expect({ ...row }).toEqual({ n: 1 });
    expect(row).toMatchObject({ n: 1 });
    expect([row.runId, row.nodeId, row.iteration]).toEqual(["run", "b", 0]);
  });

  it("throws for a row that output() does not find, and gives undefined elsewhere", async () => {
    const seen = await lookAt((ctx) => {
      const code = (read: () => unknown) => {
        try {
          return read();
        } catch (error) {
          return (error as { code: string }).code;
        }
      };
      return [
        code(() => ctx.output("step", { nodeId: "nobody" })),
        code(() => ctx.output("step", { nodeId: "a", iteration: 3 })),
        code(() => ctx.outputMaybe("step", { nodeId: "nobody" })),
        code(() => ctx.latest("step", "nobody")),
        code(() => ctx.iterationCount("step", "nobody")),
        code(() => ctx.outputMaybe("stepp" as "step", { nodeId: "a" })),
        code(() => ctx.resolveTableName("stepp" as "step")),
      ];
    });
    expect(seen).toEqual([
      "MISSING_OUTPUT",
      "MISSING_OUTPUT",
      undefined,
      undefined,
      0,
      "UNKNOWN_OUTPUT_SCHEMA",
      "UNKNOWN_OUTPUT_SCHEMA",
    ]);
  });

  it("says what it expects where it is given another form of address", async () => {
    const seen = await lookAt((ctx) => {
      const refusal = (read: () => unknown) => {
        try {
          return read();
        } catch (error) {
          return (error as Error).message;
        }
      };
      return [
        refusal(() => ctx.latest("step", { nodeId: "a" } as unknown as string)),
        refusal(() => ctx.iterationCount("step", undefined as unknown as string)),
        refusal(() => ctx.output("step", "a" as unknown as { nodeId: string })),
        refusal(() => ctx.outputMaybe("step", undefined as unknown as { nodeId: string })),
      ];
    });
    expect(seen).toEqual([
      expect.stringContaining("{ nodeId: 'a' }; expected the id of a task"),
      expect.stringContaining("undefined; expected the id of a task"),
      expect.stringContaining("'a'; expected an address such as { nodeId:"),
      expect.stringContaining("undefined; expected an address such as { nodeId:"),
    ]);
  });

  it("reads lists that agents wrote as JSON text, and keeps what fits", async () => {
    const number = z.number();
    const seen = await lookAt((ctx) => [
      ctx.latestArray([1, "2", 3], number),
      ctx.latestArray("[1, 2]", number),
      ctx.latestArray("{not json", number),
      ctx.latestArray({ length: 2 }, number),
      ctx.latestArray(undefined, number),
      ctx.latestArray(["5"], z.coerce.number()),
    ]);
    expect(seen).toEqual([[1, 3], [1, 2], [], [], [], [5]]);
  });

  it("takes a single value for a list of one", async () => {
    const finding = z.object({ file: z.string() });
    const seen = await lookAt((ctx) => [
      ctx.latestArray({ file: "a" }, finding),
      ctx.latestArray('{"file":"a"}', finding),
      ctx.latestArray("plain words", z.string()),
      ctx.latestArray(null, z.null()),
    ]);
    expect(seen).toEqual([[{ file: "a" }], [{ file: "a" }], ["plain words"], []]);
  });

  it("is what useCtx gives to components", async () => {
    const scene = openScene(schemas);
    const { Workflow, service } = scene.api;
    const seen: unknown[] = [];
    function Part() {
      seen.push(useCtx().input);
      return null;
    }
    await scene.run(
      service(() => (
        <Workflow name="hook">
          <Part />
        </Workflow>
      )),
      { input: { topic: "tea" } },
    );
    expect(seen[0]).toEqual({ topic: "tea" });
  });
});
