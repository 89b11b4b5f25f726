import { components } from "../../../src/components/components.js";
import type { ContinueAsNewProps } from "../../../src/components/control/ContinueAsNew.js";
import type { SagaProps } from "../../../src/components/control/Saga.js";
import type { SagaStepProps } from "../../../src/components/control/SagaStep.js";
import type { TryCatchFinallyProps } from "../../../src/components/control/TryCatchFinally.js";
import type { PollerProps } from "../../../src/components/patterns/Poller.js";
import type { XmlNode } from "../../../src/model/xml.js";
import { outputs, type Rig } from "../render-workflow.js";
import type { PropEffect, PropEffects, PropTable } from "./prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "./shared-effects.js";

const { ContinueAsNew, Poller, Saga, SagaStep, Task, TryCatchFinally, Workflow } = components;

const step = (id: string) => (
  <Task key={id} id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);

/** The attribute of the first element with this tag in what is shown of the tree. */
const shownAttribute =
  (tag: string, name: string): PropEffect["shows"] =>
  ({ xml }) => {
    const find = (node: XmlNode | null | undefined): string | undefined => {
      if (node == null || node.kind === "text") return undefined;
      return node.tag === tag ? node.props[name] : node.children.map(find).find((text) => text !== undefined);
    };
    return find(xml);
  };

const sagaSteps = ["one", "two"].map((id) => (
  <SagaStep key={id} id={id} compensation={step(`undo-${id}`)}>
    {step(id)}
  </SagaStep>
));
const specOf = (id: string) => ({ id, action: step(id), compensation: step(`undo-${id}`) });

const loopOf =
  (name: "maxIterations" | "onMaxReached"): PropEffect["shows"] =>
  ({ plan }) =>
    planOf("loop", plan)?.[name];
const delayOf = ({ tasks }: Parameters<PropEffect["shows"]>[0]) =>
  tasks.find(({ kind }) => kind === "timer")?.timerWait?.durationMs;
/** Delays stand before the checks that follow the first. */
const thirdCheck = (flow: Rig) => flow.setIteration("poll-loop", 3);
const agent = { id: "checker", generate: async () => "" };

export const controlTables = {
  ContinueAsNew: {
    component: ContinueAsNew,
    base: {},
    effects: {
      state: {
        to: { page: 2 },
        shows: ({ plan }) => planOf("continue-as-new", plan)?.state,
        as: { page: 2 },
      },
    } satisfies PropEffects<ContinueAsNewProps>,
  },
  Saga: {
    component: Saga,
    base: { children: sagaSteps },
    effects: {
      id: { to: "booking", shows: ({ plan }) => planOf("saga", plan)?.id, as: "booking" },
      steps: {
        to: [specOf("three")],
        given: { children: undefined },
        shows: tasksInside,
        as: ["three", "undo-three"],
      },
      onFailure: { to: "fail", shows: ({ plan }) => planOf("saga", plan)?.onFailure, as: "fail" },
      skipIf: { to: true, shows: skippedTasks, as: ["one", "undo-one", "two", "undo-two"] },
      children: { to: sagaSteps.slice(1), shows: tasksInside, as: ["two", "undo-two"] },
    } satisfies PropEffects<SagaProps>,
  },
  SagaStep: {
    component: SagaStep,
    base: { id: "one", compensation: step("undo"), children: step("do") },
    inside: (element) => (
      <Workflow name="w">
        <Saga>{element}</Saga>
      </Workflow>
    ),
    effects: {
      id: { to: "two", shows: ({ plan }) => planOf("saga", plan)?.steps[0]?.id, as: "two" },
      compensation: { to: step("x"), shows: tasksInside, as: ["do", "x"] },
      label: { to: "First", shows: shownAttribute("SagaStep", "label"), as: "First" },
      children: { to: step("x"), shows: tasksInside, as: ["x", "undo"] },
    } satisfies PropEffects<SagaStepProps>,
  },
  TryCatchFinally: {
    component: TryCatchFinally,
    base: { try: step("body"), catch: step("recover") },
    effects: {
      id: { to: "block", shows: ({ plan }) => planOf("try", plan)?.id, as: "block" },
      try: { to: step("x"), shows: tasksInside, as: ["x", "recover"] },
      catch: { to: step("x"), shows: tasksInside, as: ["body", "x"] },
      catchErrors: {
        to: ["TASK_TIMEOUT"],
        shows: ({ plan }) => planOf("try", plan)?.catchErrors,
        as: ["TASK_TIMEOUT"],
      },
      finally: { to: step("last"), shows: tasksInside, as: ["body", "recover", "last"] },
      skipIf: { to: true, shows: skippedTasks, as: ["body", "recover"] },
    } satisfies PropEffects<TryCatchFinallyProps>,
  },
  Poller: {
    component: Poller,
    base: { check: () => ({ satisfied: true }), checkOutput: outputs.check },
    effects: {
      id: { to: "wait", shows: tasksInside, as: ["wait-check"] },
      check: { to: agent, given: { children: "Done?" }, shows: field("kind", "poll-check"), as: "agent" },
      checkOutput: { to: outputs.verdict, shows: field("outputKey", "poll-check"), as: "verdict" },
      maxAttempts: { to: 7, shows: loopOf("maxIterations"), as: 7 },
      backoff: { to: "exponential", after: thirdCheck, shows: delayOf, as: 20_000 },
      intervalMs: { to: 10, after: thirdCheck, shows: delayOf, as: 10 },
      onTimeout: { to: "return-last", shows: loopOf("onMaxReached"), as: "return-last" },
      skipIf: { to: true, shows: skippedTasks, as: ["poll-check"] },
      children: {
        to: "Done?",
        given: { check: agent },
        shows: field("prompt", "poll-check"),
        as: "Done?",
      },
    } satisfies PropEffects<PollerProps>,
  },
} satisfies Record<string, PropTable>;
