import { Fragment, memo, type ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { useCtx } from "../../src/components/use-ctx.js";
import { ids, outputs, type Rig, rig, shape, task } from "../support/render-workflow.js";

const { Loop, Saga, SagaStep, Sequence, Task, TryCatchFinally, Workflow } = components;

const Step = ({ id, ...props }: { id: string; dependsOn?: string[]; needs?: Record<string, string> }) => (
  <Task id={id} output={outputs.note} {...props}>
    {{ text: id }}
  </Task>
);

const run = (children: ReactNode): Rig => rig(() => <Workflow name="w">{children}</Workflow>);

describe("inside a loop", () => {
  it("a task has the loop's iteration, and its id stays", () => {
    const flow = run(
      <Loop id="l">
        <Step id="a" />
      </Loop>,
    );
    expect(task(flow.render(), "a")).toMatchObject({ iteration: 0, ralphId: "l" });
    flow.setIteration("l", 2);
    expect(task(flow.render(), "a")).toMatchObject({ iteration: 2, ralphId: "l" });
  });

  it("the context follows the innermost loop, also through memo", () => {
    const seen: (readonly [string, number, number | undefined])[] = [];
    const Probe = memo(function Probe({ name }: { name: string }) {
      const ctx = useCtx();
      seen.push([name, ctx.iteration, ctx.iterations["outer"]]);
      return null;
    });
    const flow = run(
      <>
        <Probe name="outside" />
        <Loop id="outer">
          <Probe name="outer" />
          <Sequence>
            <Loop id="inner">
              <Probe name="inner" />
            </Loop>
          </Sequence>
        </Loop>
      </>,
    );
    flow.setIteration("outer", 1);
    flow.setIteration("inner@@outer=1", 5);
    flow.render();
    expect(seen).toEqual([
      ["outside", 0, 1],
      ["outer", 1, 1],
      ["inner", 5, 1],
    ]);
    seen.length = 0;
    flow.setIteration("outer", 2);
    flow.render();
    expect(seen).toEqual([
      ["outside", 0, 2],
      ["outer", 2, 2],
      ["inner", 0, 2],
    ]);
  });
});

describe("nested loops", () => {
  const nested = () =>
    run(
      <Loop id="a">
        <Step id="one" />
        <Sequence>
          <Loop id="b">
            <Step id="two" />
            <Sequence>
              <Loop id="c">
                <Step id="three" />
              </Loop>
            </Sequence>
          </Loop>
        </Sequence>
      </Loop>,
    );

  it("put the iterations of the loops around a task's own loop into its id", () => {
    const flow = nested();
    flow.setIteration("a", 1);
    flow.setIteration("b@@a=1", 2);
    flow.setIteration("c@@a=1@@b=2", 3);
    const frame = flow.render();
    expect(frame.tasks.map(({ nodeId, iteration, ralphId }) => [nodeId, iteration, ralphId])).toEqual([
      ["one", 1, "a"],
      ["two@@a=1", 2, "b@@a=1"],
      ["three@@a=1@@b=2", 3, "c@@a=1@@b=2"],
    ]);
    expect(shape(frame.plan)).toEqual([
      "loop",
      "a",
      [
        "sequence",
        "one",
        ["loop", "b@@a=1", ["sequence", "two@@a=1", ["loop", "c@@a=1@@b=2", "three@@a=1@@b=2"]]],
      ],
    ]);
  });

  it("start afresh with each iteration of the outer loop", () => {
    const flow = nested();
    flow.setIteration("b@@a=0", 4);
    expect(task(flow.render(), "two@@a=0").iteration).toBe(4);
    flow.setIteration("a", 1);
    expect(task(flow.render(), "two@@a=1").iteration).toBe(0);
  });

  it("suffix the states of sagas and try blocks with every loop around them", () => {
    const flow = run(
      <Loop id="l">
        <Saga id="s">
          <SagaStep id="step" compensation={<Step id="undo" />}>
            <Step id="do" />
          </SagaStep>
        </Saga>
        <TryCatchFinally id="t" try={<Step id="try" />} />
      </Loop>,
    );
    flow.setIteration("l", 3);
    expect(shape(flow.render().plan)).toEqual([
      "loop",
      "l",
      [
        "sequence",
        ["saga", "s@@l=3", ["step", "do", "undo"]],
        ["try", "t@@l=3", "try", undefined, undefined],
      ],
    ]);
  });

  it.each([
    ["directly", (inner: ReactNode) => inner],
    ["through a component", (inner: ReactNode) => <Wrapper>{inner}</Wrapper>],
    ["through a fragment", (inner: ReactNode) => <Fragment>{inner}</Fragment>],
  ])("are refused when the one is %s the child of the other", (_name, wrap) => {
    const flow = run(<Loop id="outer">{wrap(<Loop id="inner" />)}</Loop>);
    expect(() => flow.render()).toThrow(
      expect.objectContaining({ code: "NESTED_LOOP", summary: expect.stringContaining('<Loop id="inner">') }),
    );
  });
});

function Wrapper({ children }: { children: ReactNode }): ReactNode {
  return children;
}

describe("a loop without an id", () => {
  it("gets one made of its place, and its iteration in the first frame", () => {
    const iterations: number[] = [];
    function Probe(): ReactNode {
      iterations.push(useCtx().iteration);
      return <Step id="a" />;
    }
    const flow = run(
      <Sequence>
        <Step id="before" />
        <Loop>
          <Probe />
        </Loop>
      </Sequence>,
    );
    flow.setIteration("loop@0.1", 7);
    const frame = flow.render();
    expect(task(frame, "a")).toMatchObject({ iteration: 7, ralphId: "loop@0.1" });
    expect(iterations.at(-1)).toBe(7);
  });

  it("keeps it when conditional siblings come and go, and when it is wrapped", () => {
    let extra = false;
    let wrapped = false;
    const flow = rig(() => {
      const loop = (
        <Loop>
          <Step id="a" />
        </Loop>
      );
      return (
        <Workflow name="w">
          {extra && <Step id="extra" />}
          {extra && <Loop id="other" />}
          {wrapped ? <Wrapper>{loop}</Wrapper> : loop}
        </Workflow>
      );
    });
    const loopId = () => task(flow.render(), "a").ralphId;
    expect(loopId()).toBe("loop@2");
    extra = true;
    expect(loopId()).toBe("loop@2");
    wrapped = true;
    expect(loopId()).toBe("loop@2");
  });

  it("has its key in it inside a list", () => {
    const flow = run(
      ["x", "y"].map((key) => (
        <Loop key={key}>
          <Step id={key} />
        </Loop>
      )),
    );
    expect(flow.render().tasks.map(({ ralphId }) => ralphId)).toEqual(["loop@x", "loop@y"]);
  });

  it("settles in one frame however deep it is nested", () => {
    const depth = 6;
    const nest = (level: number): ReactNode =>
      level === depth ? (
        <Step id="deep" />
      ) : (
        <Sequence>
          <Loop>{nest(level + 1)}</Loop>
        </Sequence>
      );
    const flow = run(nest(0));
    const first = flow.render();
    const loopId = first.tasks[0]?.ralphId as string;
    flow.setIteration(loopId, 2);
    expect(flow.render().tasks[0]).toMatchObject({ iteration: 2, ralphId: loopId });
  });
});

describe("a reference inside loops", () => {
  const references = (flow: Rig, from: string) => task(flow.render(), from).dependsOn;

  it("means the task in the same iteration of the same loop", () => {
    const flow = run(
      <Loop id="outer">
        <Sequence>
          <Loop id="inner">
            <Step id="a" />
            <Step id="b" dependsOn={["a"]} />
          </Loop>
        </Sequence>
      </Loop>,
    );
    flow.setIteration("outer", 3);
    expect(references(flow, "b@@outer=3")).toEqual(["a@@outer=3"]);
  });

  it("else means one in a loop further out, then one outside of loops", () => {
    const flow = run(
      <>
        <Step id="outside" />
        <Loop id="outer">
          <Step id="middle" />
          <Sequence>
            <Loop id="inner">
              <Step id="b" dependsOn={["middle", "outside"]} />
            </Loop>
          </Sequence>
        </Loop>
      </>,
    );
    expect(references(flow, "b@@outer=0")).toEqual(["middle", "outside"]);
  });

  it("else means one in a loop inside the same iteration", () => {
    const flow = run(
      <Loop id="outer">
        <Sequence>
          <Loop id="inner">
            <Step id="draft" />
          </Loop>
        </Sequence>
        <Step id="judge" dependsOn={["draft"]} />
      </Loop>,
    );
    flow.setIteration("outer", 2);
    expect(references(flow, "judge")).toEqual(["draft@@outer=2"]);
  });

  it("to a task that is not mounted stays as written", () => {
    const flow = run(
      <Loop id="l">
        <Step id="b" dependsOn={["missing"]} />
      </Loop>,
    );
    expect(references(flow, "b")).toEqual(["missing"]);
  });

  it("changes its meaning when a closer task is mounted", () => {
    let closer = false;
    const flow = rig(() => (
      <Workflow name="w">
        <Step id="a" />
        <Loop id="outer">
          <Sequence>
            <Loop id="inner">
              {closer && <Step id="a" />}
              <Step id="b" dependsOn={["a"]} />
            </Loop>
          </Sequence>
        </Loop>
      </Workflow>
    ));
    expect(references(flow, "b@@outer=0")).toEqual(["a"]);
    closer = true;
    expect(references(flow, "b@@outer=0")).toEqual(["a@@outer=0"]);
    closer = false;
    expect(references(flow, "b@@outer=0")).toEqual(["a"]);
  });

  it("follows needs, deps and fork by the same rule", () => {
    const flow = run(
      <Loop id="outer">
        <Sequence>
          <Loop id="inner">
            <Step id="a" />
            <Task
              id="b"
              output={outputs.note}
              needs={{ alias: "a" }}
              deps={{ alias: outputs.note, a: "note" }}
              agent={{ generate: async () => "" }}
              fork="a"
            >
              prompt
            </Task>
          </Loop>
        </Sequence>
      </Loop>,
    );
    expect(task(flow.render(), "b@@outer=0")).toMatchObject({
      needs: { alias: "a@@outer=0" },
      deps: {
        alias: { nodeId: "a@@outer=0", outputKey: "note" },
        a: { nodeId: "a@@outer=0", outputKey: "note" },
      },
      forkSource: "a@@outer=0",
    });
  });
});

it("the tasks of an iteration are new ones, the others stay", () => {
  const flow = run(
    <>
      <Step id="before" />
      <Loop id="l">
        <Step id="a" />
      </Loop>
    </>,
  );
  const first = flow.render();
  flow.setIteration("l", 1);
  const second = flow.render();
  expect(task(second, "before")).toBe(task(first, "before"));
  expect(task(second, "a")).not.toBe(task(first, "a"));
  expect(task(first, "a").iteration).toBe(0);
  expect(ids(second)).toEqual(ids(first));
  expect(second.structureVersion).toBe(first.structureVersion + 1);
});
