import fc from "../support/property-tests.js";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { RenderedFrame } from "../../src/model/graph.js";
import type { PlanNode } from "../../src/model/plan.js";
import { outputs, type Rig, rig } from "../support/render-workflow.js";

/*
 * Frames are read off a tree that React changes in place, and only what changed
 * is read again. Whatever the changes are, the frame must be the one that a
 * fresh renderer gives for the same workflow.
 */

const {
  Aspects,
  Branch,
  Loop,
  Parallel,
  Saga,
  SagaStep,
  Sequence,
  Task,
  TryCatchFinally,
  Workflow,
  Worktree,
} = components;

/** A tree as data, so that it can be generated, shown and rendered twice. */
type Spec =
  | {
      kind: "task";
      id: string;
      retries: number;
      dependsOn: string[];
      label: string | undefined;
      isGated: boolean;
      content: "row" | "function" | "prompt" | "markup";
    }
  | {
      kind: "sequence" | "parallel" | "worktree" | "aspects";
      skip: boolean;
      keyed: boolean;
      children: Spec[];
    }
  | { kind: "loop"; named: string | null; children: Spec[] }
  | { kind: "branch"; side: boolean; then: Spec; else: Spec }
  | { kind: "saga"; action: Spec; compensation: Spec }
  | { kind: "try"; body: Spec; recover: Spec | null };

const taskIds = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

const { spec } = fc.letrec<{ spec: Spec; task: Spec; group: Spec }>((tie) => ({
  task: fc.record({
    kind: fc.constant("task" as const),
    id: fc.constantFrom(...taskIds),
    retries: fc.constantFrom(0, 1),
    dependsOn: fc.subarray(["a", "b"], { maxLength: 1 }),
    label: fc.constantFrom(undefined, "one", "two", ""),
    isGated: fc.boolean(),
    content: fc.constantFrom("row", "function", "prompt", "markup"),
  }),
  group: fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        "sequence" as const,
        "parallel" as const,
        "worktree" as const,
        "aspects" as const,
      ),
      skip: fc.boolean(),
      keyed: fc.boolean(),
      children: fc.array(tie("spec"), { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant("loop" as const),
      named: fc.constantFrom(null, "x", "y"),
      children: fc.array(tie("spec"), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("branch" as const),
      side: fc.boolean(),
      then: tie("spec"),
      else: tie("spec"),
    }),
    fc.record({ kind: fc.constant("saga" as const), action: tie("spec"), compensation: tie("spec") }),
    fc.record({ kind: fc.constant("try" as const), body: tie("spec"), recover: fc.option(tie("spec")) }),
  ),
  spec: fc.oneof({ depthSize: "medium", withCrossShrink: true }, tie("task"), tie("group")),
}));

const agent = { id: "writer", generate: async () => "" };

function draw(each: Spec, key?: string): ReactNode {
  switch (each.kind) {
    case "task":
      return drawTask(each, key);
    case "branch":
      return <Branch key={key} if={each.side} then={draw(each.then)} else={draw(each.else)} />;
    case "saga":
      return (
        <Saga key={key}>
          <SagaStep id="step" compensation={draw(each.compensation)}>
            {draw(each.action)}
          </SagaStep>
        </Saga>
      );
    case "try":
      return <TryCatchFinally key={key} try={draw(each.body)} catch={each.recover && draw(each.recover)} />;
    case "loop":
      return (
        <Loop key={key} {...(each.named !== null && { id: each.named })}>
          {/* A loop may not be the direct child of a loop. */}
          <Sequence>{each.children.map((child, index) => draw(child, String(index)))}</Sequence>
        </Loop>
      );
    default: {
      const children = each.children.map((child, index) =>
        draw(child, each.keyed && child.kind === "task" ? child.id : String(index)),
      );
      if (each.kind === "sequence") return <Sequence key={key} skipIf={each.skip} children={children} />;
      if (each.kind === "parallel")
        return <Parallel key={key} skipIf={each.skip} maxConcurrency={2} children={children} />;
      if (each.kind === "worktree")
        return <Worktree key={key} path="w" skipIf={each.skip} children={children} />;
      return <Aspects key={key} tokenBudget={{ max: 1 }} skipIf={each.skip} children={children} />;
    }
  }
}

function drawTask(
  { id, retries, dependsOn, label, isGated, content }: Extract<Spec, { kind: "task" }>,
  key?: string,
): ReactNode {
  const props = { id, output: outputs.note, retries, dependsOn, label, needsApproval: isGated };
  if (content === "row") return <Task key={key} {...props} children={{ text: id }} />;
  if (content === "function") return <Task key={key} {...props} children={() => ({ text: id })} />;
  return (
    <Task key={key} {...props} agent={agent}>
      {content === "prompt" ? `Do ${id}.` : <p>Do {id}.</p>}
    </Task>
  );
}

/** A tree may hold an id twice; that it does is as much a result as a frame is. */
function outcome(flow: Rig): unknown {
  try {
    return comparable(flow.render());
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

function comparable({ structureVersion, ...frame }: RenderedFrame) {
  return JSON.parse(JSON.stringify(frame));
}

const loopStates = fc.dictionary(
  fc.constantFrom("x", "y", "x@@y=1", "y@@x=1", "loop@0", "loop@1"),
  fc.nat(2),
);

describe("a frame after any changes", () => {
  it("is the frame of a fresh renderer", () => {
    const step = fc.record({ tree: fc.array(spec, { maxLength: 4 }), states: loopStates });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 5 }), (steps) => {
        let tree: Spec[] = [];
        const build = () => (
          <Workflow name="w">{tree.map((each, index) => draw(each, String(index)))}</Workflow>
        );
        const incremental = rig(build);
        const states: Record<string, number> = {};
        for (const next of steps) {
          tree = next.tree;
          Object.assign(states, next.states);
          const fresh = rig(build);
          for (const [id, iteration] of Object.entries(states)) {
            fresh.setIteration(id, iteration);
            incremental.setIteration(id, iteration);
          }
          expect(outcome(incremental)).toEqual(outcome(fresh));
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is the same object when the changes are none", () => {
    fc.assert(
      fc.property(fc.uniqueArray(spec, { selector: JSON.stringify, maxLength: 3 }), (tree) => {
        const flow = rig(() => (
          <Workflow name="w">{tree.map((each, index) => draw(each, String(index)))}</Workflow>
        ));
        let first: RenderedFrame;
        try {
          first = flow.render();
        } catch {
          return;
        }
        expect(flow.render()).toBe(first);
        expect(flow.render()).toBe(first);
      }),
    );
  });

  it("lists the tasks of its plan, in document order", () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 4 }), (tree) => {
        const flow = rig(() => (
          <Workflow name="w">{tree.map((each, index) => draw(each, String(index)))}</Workflow>
        ));
        let frame: RenderedFrame;
        try {
          frame = flow.render();
        } catch {
          return;
        }
        expect(tasksOf(frame.plan)).toEqual(frame.tasks.map(({ nodeId }) => nodeId));
        expect(frame.tasks.map(({ ordinal }) => ordinal)).toEqual(frame.tasks.map((_, index) => index));
      }),
    );
  });
});

function tasksOf(plan: PlanNode): string[] {
  switch (plan.kind) {
    case "task":
      return [plan.task.nodeId];
    case "sequence":
    case "parallel":
      return plan.children.flatMap(tasksOf);
    case "loop":
      return tasksOf(plan.body);
    case "saga":
      return plan.steps.flatMap(({ action, compensation }) => [...tasksOf(action), ...tasksOf(compensation)]);
    case "try":
      return [plan.try, plan.catch, plan.finally].flatMap((part) =>
        part === undefined ? [] : tasksOf(part),
      );
    case "continue-as-new":
      return [];
    default:
      return plan satisfies never;
  }
}
