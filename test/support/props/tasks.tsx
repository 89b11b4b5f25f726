import { expect } from "vitest";
import { z } from "zod";
import { components } from "../../../src/components/components.js";
import type { SubflowProps } from "../../../src/components/tasks/Subflow.js";
import type { TaskProps } from "../../../src/components/tasks/Task.js";
import type { TimerProps } from "../../../src/components/tasks/Timer.js";
import { outputs } from "../render-workflow.js";
import type { PropEffects, PropTable } from "./prop-table.js";
import { field, limitEffects, orderEffects, tasksInside } from "./shared-effects.js";

const { Subflow, Task, Timer, Workflow } = components;

const narrow = z.object({ text: z.literal("a") });
const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };
const asked = { agent, children: "Write." };
const scorers = { style: { scorer: { id: "style", name: "Style", score: async () => ({ score: 1 }) } } };
const flowOf = (id: string) => ({
  build: () => (
    <Workflow name="child">
      <Task id={id} output={outputs.output}>
        {{ text: id }}
      </Task>
    </Workflow>
  ),
});
const child = flowOf("first");
const otherChild = flowOf("second");

export const taskTables = {
  Task: {
    component: Task,
    base: { id: "a", output: outputs.note, children: { text: "row" } },
    effects: {
      ...orderEffects(),
      ...limitEffects,
      id: { to: "b", shows: tasksInside, as: ["b"] },
      output: { to: outputs.output, shows: field("outputKey"), as: "output" },
      outputSchema: { to: narrow, shows: field("outputSchema"), as: narrow },
      deps: {
        to: { before: outputs.note },
        shows: field("deps"),
        as: { before: { nodeId: "before", outputKey: "note" } },
      },
      needsApproval: { to: true, shows: field("approvalMode"), as: "gate" },
      async: { to: true, given: { needsApproval: true }, shows: field("waitAsync"), as: true },
      noRetry: { to: true, shows: field("retries"), as: 0 },
      limit: { to: "model-x", shows: field("limit"), as: "model-x" },
      queue: { to: "large", shows: field("queue"), as: "large" },
      scorers: { to: scorers, shows: field("scorers"), as: scorers },
      agent: { to: [agent, other], given: asked, shows: field("agent"), as: [agent, other] },
      fallbackAgent: { to: other, given: asked, shows: field("fallbackAgent"), as: other },
      fork: {
        to: "before",
        given: asked,
        shows: field("forkSource"),
        as: "before",
      },
      memory: { to: { threadId: "t" }, given: asked, shows: field("memoryConfig"), as: { threadId: "t" } },
      hijack: { to: true, given: asked, shows: field("hijack"), as: true },
      onHijackExit: { to: "reopen", given: asked, shows: field("onHijackExit"), as: "reopen" },
      maxSchemaRetries: { to: 1, given: asked, shows: field("maxSchemaRetries"), as: 1 },
      allowTools: { to: ["read"], given: asked, shows: field("allowTools"), as: ["read"] },
      children: { to: { text: "other" }, shows: field("staticPayload"), as: { text: "other" } },
    } satisfies PropEffects<TaskProps>,
  },
  Subflow: {
    component: Subflow,
    base: { id: "a", workflow: child, output: outputs.note },
    effects: {
      ...orderEffects(),
      ...limitEffects,
      id: { to: "b", shows: tasksInside, as: ["b"] },
      workflow: { to: otherChild, shows: field("subflow"), as: { workflow: otherChild } },
      input: { to: { n: 1 }, shows: field("subflow"), as: { workflow: child, input: { n: 1 } } },
      mode: { to: "inline", shows: tasksInside, as: ["first", "a"] },
      output: { to: outputs.output, shows: field("outputKey"), as: "output" },
    } satisfies PropEffects<SubflowProps>,
  },
  Timer: {
    component: Timer,
    base: { id: "a", duration: "1s" },
    effects: {
      ...orderEffects(),
      id: { to: "b", shows: tasksInside, as: ["b"] },
      duration: { to: "2s", shows: field("timerWait"), as: { durationMs: 2_000 } },
      until: {
        to: new Date(5),
        given: { duration: undefined },
        shows: field("timerWait"),
        as: { untilMs: 5 },
      },
      // Its effect is a refusal: recurring timers do not exist.
      every: { to: "1h", shows: field("timerWait"), as: { refused: expect.stringContaining("every") } },
    } satisfies PropEffects<TimerProps>,
  },
} satisfies Record<string, PropTable>;
