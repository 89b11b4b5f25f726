import { components } from "../../../src/components/components.js";
import type { AspectsProps } from "../../../src/components/structure/Aspects.js";
import type { BranchProps } from "../../../src/components/structure/Branch.js";
import type { LoopProps } from "../../../src/components/structure/Loop.js";
import type { MergeQueueProps } from "../../../src/components/structure/MergeQueue.js";
import type { ParallelProps } from "../../../src/components/structure/Parallel.js";
import type { SequenceProps } from "../../../src/components/structure/Sequence.js";
import type { WorkflowProps } from "../../../src/components/structure/Workflow.js";
import type { WorktreeProps } from "../../../src/components/structure/Worktree.js";
import { outputs } from "../render-workflow.js";
import type { PropEffect, PropEffects, PropTable } from "./prop-table.js";
import { field, planOf, skipInside, tasksInside } from "./shared-effects.js";

const { Aspects, Branch, Loop, MergeQueue, Parallel, Sequence, Task, Workflow, Worktree } = components;

const step = (id: string) => (
  <Task key={id} id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const inside = step("inside");
const worked = (
  <Task id="inside" output={outputs.note}>
    {() => ({ text: "" })}
  </Task>
);
const base = { children: inside };
const children: PropEffect = { to: [step("x"), step("y")], shows: tasksInside, as: ["x", "y"] };
const cap: PropEffect = {
  to: 3,
  shows: ({ plan }) => planOf("parallel", plan)?.cap,
  as: 3,
};

const loopOf =
  <K extends "until" | "maxIterations" | "onMaxReached" | "continueAsNewEvery" | "id">(
    name: K,
  ): PropEffect["shows"] =>
  ({ plan }) =>
    planOf("loop", plan)?.[name];

export const structureTables = {
  Workflow: {
    component: Workflow,
    base: { name: "w", children: inside },
    inside: (element) => element,
    effects: {
      name: { to: "other", shows: (frame) => frame.workflowName, as: "other" },
      cache: { to: true, shows: (frame) => frame.cache, as: true },
      queue: { to: "large", given: { children: worked }, shows: field("queue", "inside"), as: "large" },
      children,
    } satisfies PropEffects<WorkflowProps>,
  },
  Sequence: {
    component: Sequence,
    base,
    effects: { skipIf: skipInside, children } satisfies PropEffects<SequenceProps>,
  },
  Parallel: {
    component: Parallel,
    base,
    effects: {
      id: { to: "p", shows: field("parallelGroupId", "inside"), as: "p" },
      maxConcurrency: cap,
      skipIf: skipInside,
      children,
    } satisfies PropEffects<ParallelProps>,
  },
  MergeQueue: {
    component: MergeQueue,
    base,
    effects: {
      id: { to: "q", shows: field("parallelGroupId", "inside"), as: "q" },
      maxConcurrency: cap,
      skipIf: skipInside,
      children,
    } satisfies PropEffects<MergeQueueProps>,
  },
  Branch: {
    component: Branch,
    base: { if: true, then: inside, else: step("otherwise") },
    effects: {
      if: { to: false, shows: tasksInside, as: ["otherwise"] },
      then: { to: step("x"), shows: tasksInside, as: ["x"] },
      else: { to: step("x"), given: { if: false }, shows: tasksInside, as: ["x"] },
      skipIf: skipInside,
    } satisfies PropEffects<BranchProps>,
  },
  Loop: {
    component: Loop,
    base,
    effects: {
      id: { to: "rounds", shows: loopOf("id"), as: "rounds" },
      until: { to: true, shows: loopOf("until"), as: true },
      maxIterations: { to: 9, shows: loopOf("maxIterations"), as: 9 },
      onMaxReached: { to: "fail", shows: loopOf("onMaxReached"), as: "fail" },
      continueAsNewEvery: { to: 4, shows: loopOf("continueAsNewEvery"), as: 4 },
      skipIf: skipInside,
      children,
    } satisfies PropEffects<LoopProps>,
  },
  Worktree: {
    component: Worktree,
    base: { path: "trees/a", children: inside },
    effects: {
      id: { to: "tree", shows: field("worktreeId", "inside"), as: "tree" },
      path: { to: "trees/b", shows: field("worktreePath", "inside"), as: "trees/b" },
      branch: { to: "feature", shows: field("worktreeBranch", "inside"), as: "feature" },
      baseBranch: { to: "develop", shows: field("worktreeBaseBranch", "inside"), as: "develop" },
      skipIf: skipInside,
      children,
    } satisfies PropEffects<WorktreeProps>,
  },
  Aspects: {
    component: Aspects,
    base: { id: "budget", children: inside },
    effects: {
      id: { to: "other", shows: field("aspectIds", "inside"), as: ["other"] },
      tokenBudget: {
        to: { max: 10, perTask: 5, onExceeded: "warn" },
        shows: (frame) => frame.aspects["budget"]?.tokenBudget,
        as: { max: 10, perTask: 5, onExceeded: "warn" },
      },
      latencySlo: {
        to: { maxMs: 10, perTask: 5, onExceeded: "warn" },
        shows: (frame) => frame.aspects["budget"]?.latencySlo,
        as: { maxMs: 10, perTask: 5, onExceeded: "warn" },
      },
      tracking: {
        to: { tokens: false },
        shows: (frame) => frame.aspects["budget"]?.tracking,
        as: { tokens: false, latency: true },
      },
      skipIf: skipInside,
      children,
    } satisfies PropEffects<AspectsProps>,
  },
} satisfies Record<string, PropTable>;
