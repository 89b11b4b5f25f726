import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { describeTask } from "../support/describe-task.js";
import fc, { propertyRuns } from "../support/property-tests.js";
import { ids, outputs, rig } from "../support/render-workflow.js";

const { Parallel, Task, Workflow } = components;
const writer = { id: "writer", generate: async () => "" };
const critic = { id: "critic", generate: async () => "" };
const one = () => ({ text: "one" });
const two = () => ({ text: "two" });

/** Few values of few props, so that neighbours often have the same ones. */
const props = fc.record(
  {
    output: fc.constantFrom<unknown>(outputs.note, "verdict"),
    children: fc.constantFrom<unknown>(one, two, { text: "x" }, "Write.", () => "Write."),
    agent: fc.constantFrom(undefined, writer, critic),
    label: fc.constantFrom(undefined, "first", "second"),
    retries: fc.constantFrom(0, 2),
    continueOnFail: fc.boolean(),
    skipIf: fc.boolean(),
    needsApproval: fc.boolean(),
    cache: fc.constantFrom(undefined, { by: () => 1 }),
    dependsOn: fc.constantFrom(undefined, ["task-0"]),
    meta: fc.constantFrom(undefined, { a: 1 }),
  },
  { requiredKeys: ["output", "children"] },
);
/** A prompt needs an agent, and a row has none. */
function isValid({ children, agent }: { children: unknown; agent?: unknown }): boolean {
  return typeof children === "function" || (typeof children === "string") === (agent !== undefined);
}

const list = fc
  .array(props, { minLength: 1, maxLength: 8 })
  .map((all) => all.filter(isValid))
  .map((all) => all.map((each, n) => ({ ...each, id: `task-${n}` }) as never));

describe("a task in a list", () => {
  it("is described as it is alone, whatever the one before it is like", () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        let shown = first;
        const workflow = rig(() => (
          <Workflow name="w">
            <Parallel>
              {shown.map((each, n) => createElement(Task, { key: n, ...(each as object) } as never))}
            </Parallel>
          </Workflow>
        ));
        for (shown of [first, second]) {
          const frame = workflow.render();
          const alone = shown.map((each) => describeTask(<Parallel>{createElement(Task, each)}</Parallel>));
          expect(frame.tasks).toEqual(alone.map((task, ordinal) => ({ ...task, ordinal })));
        }
        workflow.dispose();
      }),
      propertyRuns(150),
    );
  });

  it("is refused for what it has between its tags, though the one before it is right", () => {
    const workflow = rig(() => (
      <Workflow name="w">
        <Task id="a" output="note">
          {one}
        </Task>
        {createElement(Task, { id: "b", output: "note", children: "Write." } as never)}
      </Workflow>
    ));
    expect(() => workflow.render()).toThrow(/"b".* has a prompt but no agent/);
  });

  it("has its own function and label in the frames after the first", () => {
    let round = 0;
    const workflow = rig(() => (
      <Workflow name="w">
        {["a", "b"].map((id) => (
          <Task key={id} id={id} output="note" label={`${id} ${round}`}>
            {() => ({ text: `${id} ${round}` })}
          </Task>
        ))}
      </Workflow>
    ));
    for (round = 0; round < 3; round += 1) {
      const frame = workflow.render();
      expect(ids(frame)).toEqual(["a", "b"]);
      expect(frame.tasks.map(({ label }) => label)).toEqual([`a ${round}`, `b ${round}`]);
      expect(frame.tasks.map(({ computeFn }) => computeFn?.({}, {} as never))).toEqual([
        { text: `a ${round}` },
        { text: `b ${round}` },
      ]);
    }
  });
});
