import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { useCtx } from "../../src/components/use-ctx.js";
import type { WorkflowContext } from "../../src/model/context.js";
import { outputs, rig, shape, task } from "../support/render-workflow.js";

const { Loop, Sequence, Subflow, Task, Workflow } = components;

const Step = ({ id, output = "note" }: { id: string; output?: string }) => (
  <Task id={id} output={output}>
    {{ text: id }}
  </Task>
);
const child = {
  build: (ctx: WorkflowContext) => (
    <Workflow name="child">
      <Step id={`first-${String(ctx.input["topic"])}`} />
      <Inner />
    </Workflow>
  ),
};
function Inner(): ReactNode {
  return <Step id={`second-${String(useCtx().input["topic"])}`} output="output" />;
}

const parent = (props: object, workflow: { build(ctx: never): ReactNode } = child) =>
  rig(
    () => (
      <Workflow name="w">
        <Step id="before" />
        <Subflow
          id="sub"
          mode="inline"
          workflow={workflow}
          input={{ topic: "cats" }}
          output={outputs.note}
          {...props}
        />
      </Workflow>
    ),
    { input: { topic: "parent" } },
  );

describe("an inline Subflow", () => {
  it("is a part of the plan, with its own input, and ends with its result", () => {
    const frame = parent({ label: "Cats", meta: { n: 1 } }).render();
    expect(shape(frame.plan)).toEqual([
      "sequence",
      "before",
      ["sequence", ["sequence", "first-cats", "second-cats"], "sub"],
    ]);
    expect(task(frame, "sub")).toMatchObject({
      kind: "compute",
      outputKey: "note",
      label: "Cats",
      meta: { n: 1 },
    });
  });

  it("results in the row that it writes to the output key `output`", () => {
    const flow = parent({});
    const result = () => task(flow.render(), "sub").computeFn?.({}, {} as never);
    expect(result).toThrow(expect.objectContaining({ code: "INVALID_OUTPUT" }));
    flow.setRow("second-cats", { text: "result" });
    expect(result()).toEqual({ text: "result" });
  });

  it("results in a list when it writes several", () => {
    const several = {
      build: () => (
        <Workflow name="child">
          <Step id="x" output="output" />
          <Step id="y" output="output" />
          <Step id="z" output="output" />
        </Workflow>
      ),
    };
    const flow = parent({}, several);
    flow.setRow("x", { text: "1" });
    flow.setRow("z", { text: "3" });
    expect(task(flow.render(), "sub").computeFn?.({}, {} as never)).toEqual([{ text: "1" }, { text: "3" }]);
  });

  it("hands its order and its skipIf to every task inside", () => {
    const { tasks } = parent({ dependsOn: ["before"], needs: { x: "other" }, skipIf: true }).render();
    expect(tasks.map(({ nodeId, dependsOn, skipIf }) => [nodeId, dependsOn, skipIf])).toEqual([
      ["before", undefined, false],
      ["first-cats", ["before", "other"], true],
      ["second-cats", ["before", "other"], true],
      ["sub", ["before", "other"], true],
    ]);
  });

  it("gives functions in its props its own input", () => {
    const cached = {
      build: () => (
        <Workflow name="child">
          <Task id="c" output="note" cache={{ by: (ctx) => ctx.input["topic"] }}>
            {{ text: "" }}
          </Task>
        </Workflow>
      ),
    };
    expect(task(parent({}, cached).render(), "c").cacheBy).toBe("cats");
  });

  it("caches its tasks when its workflow does", () => {
    const cached = { build: () => <Workflow name="child" cache children={<Step id="c" />} /> };
    const frame = parent({}, cached).render();
    expect(task(frame, "c").cachePolicy).toEqual({});
    expect(task(frame, "before")).not.toHaveProperty("cachePolicy");
    expect(frame.cache).toBeUndefined();
  });

  it.each([
    ["by its option", undefined, {}],
    ["not where its Workflow says that nothing is", false, undefined],
  ])("caches its tasks when its workflow does: %s", (_how, cache, policy) => {
    const given = cache === undefined ? {} : { cache };
    const build = () => <Workflow name="child" {...given} children={<Step id="c" />} />;
    const frame = parent({}, { build, opts: { cache: true } } as { build: typeof build }).render();
    expect(task(frame, "c").cachePolicy).toEqual(policy);
  });

  it("has no limits of its own", () => {
    expect(() => parent({ timeoutMs: 5 }).render()).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", summary: expect.stringContaining("timeoutMs") }),
    );
  });

  it("is mounted once per iteration inside loops", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="outer">
          <Sequence>
            <Loop id="inner">
              <Subflow id="sub" mode="inline" workflow={child} input={{ topic: "x" }} output="note" />
            </Loop>
          </Sequence>
        </Loop>
      </Workflow>
    ));
    flow.setIteration("outer", 1);
    expect(flow.render().tasks.map(({ nodeId }) => nodeId)).toEqual([
      "first-x@@outer=1",
      "second-x@@outer=1",
      "sub@@outer=1",
    ]);
  });
});
