import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createService, renderFrame, type ServiceWorkflow } from "../../src/index.js";

describe("a workflow value", () => {
  it("is accepted wherever a workflow of any schema is, although its build function is typed by its own", async () => {
    const { Workflow, Task, service, outputs } = createService(
      { input: z.object({ name: z.string() }), greeting: z.object({ text: z.string() }) },
      { dbPath: ":memory:", readableName: "Greeter", description: "Greets." },
    );
    const typed = service((ctx) => (
      <Workflow name="greet">
        <Task id="greet" output={outputs.greeting}>
          {{ text: `hello ${ctx.input.name}, ${ctx.outputs.greeting.length} before you` }}
        </Task>
      </Workflow>
    ));
    const any: ServiceWorkflow = typed;
    expect(any).toMatchObject({ readableName: "Greeter", description: "Greets.", opts: {} });
    expect([...(any.schemaRegistry?.keys() ?? [])]).toEqual(["greeting"]);
    expect(any.zodToKeyName?.get(outputs.greeting)).toBe("greeting");
    const { tasks } = await renderFrame(typed, { input: { name: "Ada" } });
    expect(tasks[0]).toMatchObject({
      nodeId: "greet",
      staticPayload: { text: "hello Ada, 0 before you" },
    });
  });
});

it.each([undefined, null, "schemas", [z.object({})]])(
  "createService refuses %j in place of its schemas",
  (schemas) => {
    expect(() => createService(schemas as never)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining("schemas by key") }),
    );
  },
);
