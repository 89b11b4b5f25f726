import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";

const text = () => z.object({ text: z.string() });
const child = createService({ input: text(), note: text(), output: text() });
const parent = createService({ note: text(), copy: text(), output: text() });

/** Reads and writes by its own targets only. */
const shout = child.service((ctx) => (
  <child.Workflow name="shout">
    <child.Sequence>
      <child.Task id="note" output={child.outputs.note}>
        {{ text: ctx.input.text.toUpperCase() }}
      </child.Task>
      <child.Task id="copy" output={child.outputs.note} deps={{ note: child.outputs.note }}>
        {({ note }) => ({ text: `${note.text}!` })}
      </child.Task>
      <child.Task id="result" output={child.outputs.output}>
        {() => ({
          text: [
            ctx.output(child.outputs.note, { nodeId: "note" }).text,
            ctx.latest(child.outputs.note, "copy")?.text,
            ctx.outputs.note.length,
            ctx.iterationCount(child.outputs.note, "note"),
          ].join(" "),
        })}
      </child.Task>
    </child.Sequence>
  </child.Workflow>
));

const { Workflow, Sequence, Subflow, Task, service, outputs, useCtx } = parent;

/** What the workflow around finds under its own keys. */
function All() {
  const ctx = useCtx();
  return (
    <Task id="all" output={outputs.output}>
      {() => ({ text: [...ctx.outputs.note, ...ctx.outputs.copy].map((row) => row.text).join() })}
    </Task>
  );
}

it("tasks of an inline subflow write and read by the targets of their own workflow", async () => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="loud" mode="inline" workflow={shout} input={{ text: "hey" }} output={outputs.copy} />
          <All />
        </Sequence>
      </Workflow>
    )),
  );
  expect((await test.run()).output).toContainEqual({ text: "HEY,HEY!,HEY HEY! 2 1" });
});

it("so do those of a subflow inside a subflow", async () => {
  const middle = createService({ note: text(), copy: text(), output: text() });
  const relay = middle.service(() => (
    <middle.Workflow name="relay">
      <middle.Subflow
        id="relayed"
        mode="inline"
        workflow={shout}
        input={{ text: "ho" }}
        output={middle.outputs.copy}
      />
    </middle.Workflow>
  ));
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="loud" mode="inline" workflow={relay} output={outputs.copy} />
          <All />
        </Sequence>
      </Workflow>
    )),
  );
  expect((await test.run()).output).toContainEqual({ text: "HO,HO!,HO HO! 2 1,HO HO! 2 1" });
});

it("an output that the workflow around does not have is named", async () => {
  const narrow = createService({ copy: text() });
  const test = testWorkflow(
    narrow.service(() => (
      <narrow.Workflow name="w">
        <narrow.Subflow
          id="loud"
          mode="inline"
          workflow={shout}
          input={{ text: "hey" }}
          output={narrow.outputs.copy}
        />
      </narrow.Workflow>
    )),
  );
  await expect(test.run()).rejects.toMatchObject({
    code: "UNKNOWN_OUTPUT_SCHEMA",
    summary: expect.stringContaining('give that an output "note" of the same schema'),
  });
});
