import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../src/components/components.js";
import { createService, renderFrame } from "../../src/index.js";
import { ids, outputs, rig, shape } from "../support/render-workflow.js";

const { Signal, Task, Workflow } = components;

describe("the children of a Signal", () => {
  const flow = (skipIf = false) =>
    rig(() => (
      <Workflow name="w">
        <Signal id="go" schema={outputs.note} skipIf={skipIf}>
          {(data) => (
            <Task id={`after-${data.text}`} output="note">
              {{ text: data.text }}
            </Task>
          )}
        </Signal>
        <Task id="last" output="note">
          {{ text: "" }}
        </Task>
      </Workflow>
    ));

  it("are mounted once its data is there, right behind it", () => {
    const run = flow();
    expect(ids(run.render())).toEqual(["go", "last"]);
    run.setRow("go", { text: "x" });
    expect(shape(run.render().plan)).toEqual(["sequence", ["sequence", "go", "after-x"], "last"]);
  });

  it("are skipped with it", () => {
    const run = flow(true);
    run.setRow("go", { text: "x" });
    expect(run.render().tasks.map(({ skipIf }) => skipIf)).toEqual([true, true, false]);
  });

  it("that are no function are refused in the first frame, not once the signal is there", () => {
    const run = rig(() => (
      <Workflow name="w">
        <Signal id="go" schema={outputs.note}>
          {(<Task id="after" output="note" children={{ text: "" }} />) as unknown as () => null}
        </Signal>
      </Workflow>
    ));
    expect(() => run.render()).toThrow(
      /<Signal id="go"> \(.*signal\.test\.tsx:\d+\) has children that are no function/,
    );
  });
});

it("a Signal without an id is named, as every task without one", async () => {
  const { service, outputs } = createService({ note: z.object({ text: z.string() }) });
  const WithoutId = Signal as unknown as (props: { schema: unknown }) => null;
  const workflow = service(() => (
    <Workflow name="w">
      <WithoutId schema={outputs.note} />
    </Workflow>
  ));
  await expect(renderFrame(workflow)).rejects.toMatchObject({
    code: "TASK_ID_REQUIRED",
    message: expect.stringMatching(/^<Signal> \(.*signal\.test\.tsx:\d+\) has no id/),
  });
});
