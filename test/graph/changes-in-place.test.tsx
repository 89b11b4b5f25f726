import { expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { WorkflowContext } from "../../src/model/context.js";
import { compilePlan } from "../../src/scheduler/compile.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Approval, Saga, Sequence, Task, Workflow } = components;

/*
 * Changes that leave the structure of the tree as it is: plan, version and
 * fingerprints must follow them nevertheless.
 */

const once = {
  condition: (ctx: WorkflowContext) => ctx.outputMaybe("note", { nodeId: "first" }) !== undefined,
};

it("a plan has the tasks of its frame where a function of the context redefines one inside a saga", () => {
  const run = rig(() => (
    <Workflow name="w">
      <Saga
        id="saga"
        steps={[
          {
            id: "step",
            action: (
              <Approval id="ok" output={outputs.verdict} request={{ title: "Go?" }} autoApprove={once} />
            ),
            compensation: (
              <Task id="undo" output={outputs.note}>
                {{ text: "undone" }}
              </Task>
            ),
          },
        ]}
      />
    </Workflow>
  ));
  run.render();
  run.setRow("first", { text: "a" });
  const { plan, tasks } = run.render();
  expect(tasks.find(({ nodeId }) => nodeId === "ok")?.approvalAutoApprove).toEqual({ conditionMet: true });
  expect(compilePlan(plan, 0).tasks).toEqual(tasks);
  run.dispose();
});

it("a frame is another one when only the metadata of a request has changed", () => {
  const run = rig((ctx) => (
    <Workflow name="w">
      <Sequence>
        <Approval
          id="ok"
          output={outputs.verdict}
          request={{
            title: "Go?",
            metadata: { at: ctx.outputMaybe("note", { nodeId: "first" })?.["text"] ?? null },
          }}
        />
      </Sequence>
    </Workflow>
  ));
  const before = run.render().structureVersion;
  run.setRow("first", { text: "a" });
  expect(run.render().structureVersion).toBeGreaterThan(before);
  run.dispose();
});

it("a task's fingerprint is that of its newest function", () => {
  const one = () => ({ text: "one" });
  const two = () => ({ text: "two" });
  const run = (isFirst: boolean) =>
    rig((ctx) => (
      <Workflow name="w">
        <Task id="t" output={outputs.note}>
          {isFirst && ctx.outputMaybe("note", { nodeId: "first" }) === undefined ? one : two}
        </Task>
      </Workflow>
    ));
  const going = run(true);
  going.render();
  going.setRow("first", { text: "a" });
  const fresh = run(false);
  expect(going.render().tasks[0]?.fingerprint).toBe(fresh.render().tasks[0]?.fingerprint);
});
