import type { EnclosingLoop } from "../../src/model/address.js";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { createFrameRenderer } from "../../src/frames/frame-renderer.js";
import type { WorkflowContext } from "../../src/model/context.js";
import { ids, outputs, registry, rig } from "../support/render-workflow.js";

const { Loop, Task, Workflow } = components;

const Step = ({ id }: { id: string }) => (
  <Task id={id} output={outputs.note}>
    {() => ({ text: id })}
  </Task>
);

describe("a frame renderer", () => {
  it("gives the build function the context of the place outside of loops", () => {
    const ctx = { runId: "r" } as WorkflowContext;
    const asked: (readonly EnclosingLoop[])[] = [];
    const renderer = createFrameRenderer({
      build: (given) => {
        expect(given).toBe(ctx);
        return <Workflow name="w" />;
      },
      runtime: {
        ctxFor(loops) {
          asked.push(loops);
          return ctx;
        },
        control: () => undefined,
        failure: () => null,
        controlIds: () => [],
        hasNode: () => false,
        rootDir: "/",
        queue: null,
      },
      registry,
    });
    renderer.render();
    expect(asked).toEqual([[]]);
  });

  it("continues after a frame that failed", () => {
    let fails = false;
    const flow = rig(() => {
      if (fails) throw new Error("no data");
      return <Workflow name="w" children={<Step id="a" />} />;
    });
    const before = flow.render();
    fails = true;
    expect(() => flow.render()).toThrow(
      expect.objectContaining({
        code: "WORKFLOW_RENDER_FAILED",
        summary: "Rendering failed in BuildFunction: no data.",
      }),
    );
    fails = false;
    expect(ids(flow.render())).toEqual(ids(before));
  });

  it("renders once per frame where every loop has an id", () => {
    let renders = 0;
    const flow = rig(() => {
      renders += 1;
      return (
        <Workflow name="w">
          <Loop id="l" children={<Step id="a" />} />
        </Workflow>
      );
    });
    flow.render();
    flow.setIteration("l", 1);
    flow.render();
    expect(renders).toBe(2);
  });

  it("renders a new loop without an id once more, to learn where it is", () => {
    let renders = 0;
    const flow = rig(() => {
      renders += 1;
      return (
        <Workflow name="w">
          <Loop children={<Step id="a" />} />
        </Workflow>
      );
    });
    flow.render();
    expect(renders).toBe(2);
    flow.render();
    expect(renders).toBe(3);
  });

  it("gives up on loops that never settle", () => {
    let answer = 0;
    const renderer = createFrameRenderer({
      build: () => <Workflow name="w" children={<Loop id="l" children={<Step id="a" />} />} />,
      runtime: {
        ctxFor: () => ({}) as WorkflowContext,
        control: (id) => ({ kind: "loop", id, iteration: answer++, done: false, exhausted: false }),
        failure: () => null,
        controlIds: () => [],
        hasNode: () => false,
        rootDir: "/",
        queue: null,
      },
      registry,
    });
    expect(() => renderer.render()).toThrow(
      expect.objectContaining({
        code: "WORKFLOW_RENDER_FAILED",
        summary: expect.stringContaining("did not settle"),
      }),
    );
  });
});
