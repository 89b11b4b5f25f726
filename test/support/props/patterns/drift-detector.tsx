import { components } from "../../../../src/components/components.js";
import type { DriftDetectorProps } from "../../../../src/components/patterns/DriftDetector.js";
import { outputs, task } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "inspector", generate: async () => "" };
const other = { id: "judge", generate: async () => "" };
const { Task } = components;
const alert = (
  <Task id="alarm" output={outputs.note}>
    {{ text: "!" }}
  </Task>
);
const nodes = ["drift-capture", "drift-compare"];

export const driftDetectorTable = {
  component: components.DriftDetector,
  base: {
    captureAgent: agent,
    compareAgent: agent,
    captureOutput: outputs.note,
    compareOutput: outputs.decided,
    baseline: { n: 1 },
  },
  effects: {
    id: { to: "d", shows: tasksInside, as: ["d-capture", "d-compare"] },
    captureAgent: { to: [other, agent], shows: field("agent", "drift-capture"), as: [other, agent] },
    compareAgent: { to: [other, agent], shows: field("agent", "drift-compare"), as: [other, agent] },
    captureOutput: { to: outputs.output, shows: field("outputKey", "drift-capture"), as: "output" },
    compareOutput: { to: outputs.note, shows: field("outputKey", "drift-compare"), as: "note" },
    baseline: {
      to: { n: 2 },
      shows: (frame) =>
        JSON.stringify(task(frame, "drift-compare").computeFn?.({}, {} as never)).includes('\\"n\\": 2'),
      as: true,
    },
    alertIf: {
      to: () => true,
      given: { alert },
      after: (flow) => flow.setRow("drift-compare", { drifted: false }),
      shows: tasksInside,
      as: [...nodes, "alarm"],
    },
    alert: {
      to: alert,
      after: (flow) => flow.setRow("drift-compare", { drifted: true }),
      shows: tasksInside,
      as: [...nodes, "alarm"],
    },
    poll: { to: { maxPolls: 7 }, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 7 },
    skipIf: { to: true, shows: skippedTasks, as: nodes },
    children: { to: "List the pods.", shows: field("prompt", "drift-capture"), as: "List the pods." },
  } satisfies PropEffects<DriftDetectorProps>,
} satisfies PropTable;
