import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const never = () => false;

it("refinements of an input run nowhere: neither at the top nor further down, and it is stored as given", async () => {
  const { api, run } = openScene({
    input: z
      .object({
        name: z.string().min(10).refine(never),
        inner: z
          .object({ n: z.number().max(1), list: z.array(z.object({ s: z.string().refine(never) })).min(5) })
          .refine(never),
      })
      .refine(never),
    output: z.object({ seen: z.string() }),
  });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="unrefined">
      <Task id="look" output={outputs.output}>
        {{ seen: JSON.stringify(ctx.input) }}
      </Task>
    </Workflow>
  ));
  const input = { name: "Ada", inner: { n: 7, list: [{ s: "x" }] } };
  const { status, output } = await run(workflow, { input });
  expect(status).toBe("finished");
  expect(output).toEqual({ seen: JSON.stringify(input) });
});

it("the shape of an input is checked further down as at the top", async () => {
  const { api, run } = openScene({
    input: z.object({ inner: z.object({ list: z.array(z.object({ s: z.string() })) }) }),
    output: z.object({ n: z.number() }),
  });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="shaped">
      <Task id="one" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  for (const s of [7, undefined]) {
    const input = { inner: { list: [{ s }] } } as never;
    await expect(run(workflow, { input })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("inner.list"),
    });
  }
});
