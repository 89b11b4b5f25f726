import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as oldest } from "zod-oldest";

const Text = z.object({ text: z.string().describe("One line.") }).meta({ title: "A text" });

const api = createService({ input: Text, draft: Text, final: Text, output: z.object({ both: z.string() }) });
const { Workflow, Task, Subflow, service, outputs } = api;
const given = { input: { text: "given" } };

describe("one schema object under several output keys", () => {
  it.each([
    ["", Text],
    [" of the oldest zod", oldest.object({ text: oldest.string() }) as never as typeof Text],
  ])("gives each key its own rows, by handle and by key%s", async (_, schema) => {
    const own = createService({ draft: schema, final: schema, output: z.object({ both: z.string() }) });
    const test = testWorkflow(
      own.service((ctx) => (
        <own.Workflow name="shared">
          <own.Task id="a" output={own.outputs.draft}>
            {{ text: "one" }}
          </own.Task>
          <own.Task id="a2" output="final" deps={{ a: own.outputs.draft }}>
            {({ a }) => ({ text: `${(a as { text: string }).text} two` })}
          </own.Task>
          <own.Task id="b" output={own.outputs.output}>
            {() => ({
              both: [
                ctx.outputMaybe(own.outputs.draft, { nodeId: "a" })?.text,
                ctx.outputMaybe(own.outputs.final, { nodeId: "a2" })?.text,
                ctx.outputMaybe(own.outputs.final, { nodeId: "a" })?.text,
              ].join(),
            })}
          </own.Task>
        </own.Workflow>
      )),
    );
    expect((await test.run()).output).toEqual({ both: "one,one two," });
  });

  it("keeps all that the schema says", () => {
    expect(z.toJSONSchema(outputs.draft)).toEqual(z.toJSONSchema(Text));
    expect(outputs.draft).not.toBe(outputs.final);
  });

  it("refuses the object itself as an output, and names the keys", async () => {
    const task = testWorkflow(
      service(() => (
        <Workflow name="bare">
          <Task id="a" output={Text}>
            {{ text: "which?" }}
          </Task>
        </Workflow>
      )),
      given,
    );
    await expect(task.run()).rejects.toMatchObject({
      code: "UNKNOWN_OUTPUT_SCHEMA",
      message: expect.stringContaining(
        "has in its prop output a schema object that stands under draft and final: give it outputs.draft, or the key",
      ),
    });
    const read = testWorkflow(
      service((ctx) => (
        <Workflow name="bare">
          <Task id="a" output={outputs.output}>
            {{ both: String(ctx.outputMaybe(Text, { nodeId: "a" })) }}
          </Task>
        </Workflow>
      )),
      given,
    );
    await expect(read.run()).rejects.toMatchObject({
      message: expect.stringContaining("The given schema object stands under draft and final"),
    });
  });

  it("means the keys of the workflow around it where an inline subflow uses its own", async () => {
    const inner = createService({ draft: Text, final: Text, output: Text });
    const flow = (target: typeof Text) =>
      service(() => (
        <Workflow name="around">
          <Subflow
            id="sub"
            mode="inline"
            output={outputs.draft}
            workflow={inner.service(() => (
              <inner.Workflow name="inner">
                <inner.Task id="in" output={target}>
                  {{ text: "from within" }}
                </inner.Task>
              </inner.Workflow>
            ))}
          />
        </Workflow>
      ));
    const test = testWorkflow(flow(inner.outputs.final), given);
    await test.run();
    expect(await test.tasks()).toContainEqual(
      expect.objectContaining({ nodeId: "in", output: { text: "from within" } }),
    );
    await expect(testWorkflow(flow(Text), given).run()).rejects.toMatchObject({
      message: expect.stringContaining("stands under draft and final"),
    });
  });
});
