import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { ids, outputs, rig, shape, task } from "../support/render-workflow.js";

const { Branch, ContinueAsNew, Loop, MergeQueue, Parallel, Sequence, Task, Workflow, Worktree } = components;

/** A task that matters only by its place. */
const Step = ({ id }: { id: string }) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);

const frameOf = (children: ReactNode) => rig(() => <Workflow name="w">{children}</Workflow>).render();
const planOf = (children: ReactNode) => shape(frameOf(children).plan);

describe("the plan of", () => {
  it("an empty workflow has nothing to do", () => {
    expect(planOf(null)).toEqual(["sequence"]);
  });

  it("one task is the task", () => {
    expect(planOf(<Step id="a" />)).toBe("a");
  });

  it("siblings runs them one after the other, groups at the same time", () => {
    const plan = planOf(
      <>
        <Step id="a" />
        <Parallel>
          <Step id="b" />
          <Sequence>
            <Step id="c" />
            <Step id="d" />
          </Sequence>
        </Parallel>
      </>,
    );
    expect(plan).toEqual(["sequence", "a", ["parallel", "b", ["sequence", "c", "d"]]]);
  });

  it("wrappers leaves them out", () => {
    const plan = planOf(
      <Sequence>
        <Worktree path="w">
          <Sequence>
            <Step id="a" />
          </Sequence>
        </Worktree>
        <Sequence />
        <Parallel />
      </Sequence>,
    );
    expect(plan).toBe("a");
  });

  it("a branch has the chosen side only", () => {
    const sides = { then: <Step id="yes" />, else: <Step id="no" /> };
    expect(planOf(<Branch if {...sides} />)).toBe("yes");
    expect(planOf(<Branch if={false} {...sides} />)).toBe("no");
    expect(planOf(<Branch if={false} then={sides.then} />)).toEqual(["sequence"]);
  });

  it("groups carries ids and caps", () => {
    const { plan } = frameOf(
      <>
        <Parallel id="p" maxConcurrency={3}>
          <Step id="a" />
        </Parallel>
        <MergeQueue>
          <Step id="b" />
        </MergeQueue>
        <MergeQueue id="q" maxConcurrency={2}>
          <Step id="c" />
        </MergeQueue>
        <Parallel maxConcurrency={Number.POSITIVE_INFINITY}>
          <Step id="d" />
        </Parallel>
      </>,
    );
    const groups = plan.kind === "sequence" ? plan.children.map((child) => ({ ...child, children: 0 })) : [];
    expect(groups).toEqual([
      { kind: "parallel", id: "p", cap: 3, children: 0 },
      { kind: "parallel", id: "merge-queue@1", cap: 1, children: 0 },
      { kind: "parallel", id: "q", cap: 2, children: 0 },
      { kind: "parallel", id: "parallel@3", children: 0 },
    ]);
  });

  it("a loop carries its state and its limits", () => {
    const run = rig(() => (
      <Workflow name="w">
        <Loop id="l" until={false} maxIterations={9} onMaxReached="fail" continueAsNewEvery={3}>
          <Step id="a" />
        </Loop>
      </Workflow>
    ));
    run.setIteration("l", 4);
    expect(run.render().plan).toMatchObject({
      kind: "loop",
      id: "l",
      iteration: 4,
      until: false,
      maxIterations: 9,
      onMaxReached: "fail",
      continueAsNewEvery: 3,
      skip: false,
      body: { kind: "task", task: { nodeId: "a", iteration: 4, ralphId: "l" } },
    });
  });

  it("a loop has defaults", () => {
    const { plan } = frameOf(<Loop id="l" />);
    expect(plan).toEqual({
      kind: "loop",
      id: "l",
      iteration: 0,
      until: false,
      maxIterations: 5,
      onMaxReached: "return-last",
      skip: false,
      body: { kind: "sequence", children: [] },
    });
  });

  it("continue-as-new carries its state and the loops around it", () => {
    const plan = frameOf(
      <Loop id="outer">
        <Sequence>
          <Loop id="inner">
            <ContinueAsNew state={{ page: 2 }} />
          </Loop>
        </Sequence>
      </Loop>,
    ).plan;
    expect(plan).toMatchObject({
      body: { body: { kind: "continue-as-new", state: { page: 2 }, loopIds: ["outer", "inner@@outer=0"] } },
    });
  });
});

describe("skipIf on", () => {
  it.each([
    ["a sequence", (inner: ReactNode) => <Sequence skipIf>{inner}</Sequence>],
    ["a group", (inner: ReactNode) => <Parallel skipIf>{inner}</Parallel>],
    ["a branch", (inner: ReactNode) => <Branch skipIf if then={inner} />],
    ["a worktree", (inner: ReactNode) => <Worktree path="w" skipIf children={inner} />],
    ["a loop", (inner: ReactNode) => <Loop id="l" skipIf children={inner} />],
  ])("%s marks every task inside, however deep", (_name, wrap) => {
    const frame = frameOf(
      <>
        <Step id="outside" />
        {wrap(
          <Sequence>
            <Step id="inside" />
          </Sequence>,
        )}
      </>,
    );
    expect(frame.tasks.map(({ nodeId, skipIf }) => [nodeId, skipIf])).toEqual([
      ["outside", false],
      ["inside", true],
    ]);
  });

  it("a loop keeps it from iterating", () => {
    expect(frameOf(<Loop id="l" skipIf children={<Step id="a" />} />).plan).toMatchObject({ skip: true });
  });

  it("an element keeps continue-as-new from being reached", () => {
    expect(planOf(<Sequence skipIf children={<ContinueAsNew />} />)).toEqual(["sequence"]);
  });
});

describe("a task", () => {
  it("knows its place", () => {
    const frame = frameOf(
      <Parallel id="p" maxConcurrency={2}>
        <Worktree id="outer" path="x">
          <Worktree path="trees/a" branch="feat" baseBranch="dev">
            <Step id="a" />
          </Worktree>
          <Step id="b" />
        </Worktree>
      </Parallel>,
    );
    expect(task(frame, "a")).toMatchObject({
      ordinal: 0,
      parallelGroupId: "p",
      parallelMaxConcurrency: 2,
      worktreeId: "worktree:trees/a",
      worktreePath: "trees/a",
      worktreeBranch: "feat",
      worktreeBaseBranch: "dev",
    });
    expect(task(frame, "b")).toMatchObject({ ordinal: 1, worktreeId: "outer" });
    expect(task(frame, "b")).not.toHaveProperty("worktreeBaseBranch");
    expect(task(frame, "b")).not.toHaveProperty("worktreeBranch");
  });

  it("comes in document order", () => {
    const frame = frameOf(
      <>
        <Step id="a" />
        <Parallel>
          <Step id="b" />
          <Step id="c" />
        </Parallel>
        <Step id="d" />
      </>,
    );
    expect(ids(frame)).toEqual(["a", "b", "c", "d"]);
    expect(frame.tasks.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
  });
});

it("the workflow's own props are the frame's", () => {
  const frame = rig(() => <Workflow name="nightly" cache />).render();
  expect(frame).toMatchObject({ workflowName: "nightly", cache: true });
  expect(frameOf(null)).toMatchObject({ workflowName: "w", cache: undefined });
});
