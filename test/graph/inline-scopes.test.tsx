import { expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { WorkflowContext } from "../../src/model/context.js";
import { ids, outputs, rig, task } from "../support/render-workflow.js";

const { Loop, Parallel, Subflow, Task, Workflow, Worktree } = components;

const Step = ({ id, ...order }: { id: string; dependsOn?: string[]; needs?: Record<string, string> }) => (
  <Task id={id} output={outputs.note} {...order}>
    {{ text: id }}
  </Task>
);

/** Shows `late` once it has a row of its own. */
const child = {
  build: (ctx: WorkflowContext) => (
    <Workflow name="child">
      <Step id={`own-${String(ctx.input["topic"])}`} />
      {ctx.outputMaybe("note", { nodeId: `own-${String(ctx.input["topic"])}` }) && <Step id="late" />}
    </Workflow>
  ),
};
const fixed = {
  build: () => (
    <Workflow name="fixed">
      <Step id="step" />
      <Step id="after" dependsOn={["step"]} needs={{ it: "step" }} />
    </Workflow>
  ),
};
const use = (
  id: string,
  workflow: { build(ctx: never): ReturnType<typeof child.build> },
  props: object = {},
) => <Subflow id={id} key={id} mode="inline" workflow={workflow} output={outputs.note} {...props} />;

it("uses whose ids differ keep them as they are written", () => {
  const flow = rig(() => (
    <Workflow name="w">
      {use("a", child, { input: { topic: "cats" } })}
      {use("b", child, { input: { topic: "dogs" } })}
    </Workflow>
  ));
  expect(ids(flow.render())).toEqual(["own-cats", "a", "own-dogs", "b"]);
});

it("what they mount later must have a free id, and the error says why", () => {
  const flow = rig(() => (
    <Workflow name="w">
      {use("a", child, { input: { topic: "cats" } })}
      {use("b", child, { input: { topic: "dogs" } })}
    </Workflow>
  ));
  flow.keep(flow.render());
  flow.setRow("own-cats", { text: "" });
  expect(ids(flow.render())).toEqual(["own-cats", "late", "a", "own-dogs", "b"]);
  flow.setRow("own-dogs", { text: "" });
  expect(() => flow.render()).toThrow(
    expect.objectContaining({
      code: "DUPLICATE_ID",
      summary: expect.stringContaining('One of them is in the inline <Subflow id="b">, whose ids were free'),
    }),
  );
});

it("references inside mean nodes of the same use; what stands at the Subflow means nodes around it", () => {
  const frame = rig(() => (
    <Workflow name="w">
      <Step id="before" />
      {use("a", fixed)}
      {use("b", fixed, { dependsOn: ["before"] })}
    </Workflow>
  )).render();
  expect(task(frame, "b/after")).toMatchObject({
    dependsOn: ["before", "b/step"],
    needs: { it: "b/step" },
  });
  expect(task(frame, "after")).toMatchObject({ dependsOn: ["step"], needs: { it: "step" } });
});

it("loops, groups and worktrees have ids of their own in each use", () => {
  const rounds = (ctx: WorkflowContext) => (
    <Workflow name="child">
      <Loop id="rounds">
        <Parallel id="group" maxConcurrency={2}>
          <Worktree id="tree" path={`trees/${String(ctx.input["topic"])}`}>
            <Step id={`step-${String(ctx.iterations["rounds"])}`} />
          </Worktree>
        </Parallel>
      </Loop>
    </Workflow>
  );
  const flow = rig(() => (
    <Workflow name="w">
      {use("a", { build: rounds }, { input: { topic: "cats" } })}
      {use("b", { build: rounds }, { input: { topic: "dogs" } })}
    </Workflow>
  ));
  flow.setIteration("b/rounds", 2);
  flow.setIteration("rounds", 1);
  const frame = flow.render();
  expect(ids(frame)).toEqual(["step-1", "a", "b/step-2", "b"]);
  expect(task(frame, "b/step-2")).toMatchObject({
    ralphId: "b/rounds",
    iteration: 2,
    parallelGroupId: "b/group",
    worktreeId: "b/tree",
  });
});

it("a use inside a use that has a prefix has it too", () => {
  const outer = { build: () => <Workflow name="outer">{[use("x", fixed), use("y", fixed)]}</Workflow> };
  const frame = rig(() => <Workflow name="w">{[use("a", outer), use("b", outer)]}</Workflow>).render();
  expect(ids(frame)).toEqual(
    ["step", "after", "x", "a/y/step", "a/y/after", "y", "a"].concat([
      "b/step",
      "b/after",
      "b/x",
      "b/y/step",
      "b/y/after",
      "b/y",
      "b",
    ]),
  );
});

it("two Subflows of one id are still refused", () => {
  const flow = rig(() => (
    <Workflow name="w">
      {use("a", fixed)}
      <Parallel>{use("a", fixed)}</Parallel>
    </Workflow>
  ));
  expect(() => flow.render()).toThrow(expect.objectContaining({ code: "DUPLICATE_ID" }));
});
