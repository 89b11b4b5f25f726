import { components } from "../../../../src/components/components.js";
import type { OptimizerProps } from "../../../../src/components/patterns/Optimizer.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };

export const optimizerTable = {
  component: components.Optimizer,
  base: {
    generator: agent,
    evaluator: agent,
    generateOutput: outputs.note,
    evaluateOutput: outputs.decided,
    children: "Write.",
  },
  effects: {
    id: { to: "o", shows: tasksInside, as: ["o-generate", "o-evaluate"] },
    generator: { to: [other, agent], shows: field("agent", "optimizer-generate"), as: [other, agent] },
    evaluator: { to: () => ({ score: 1 }), shows: field("kind", "optimizer-evaluate"), as: "compute" },
    generateOutput: { to: outputs.output, shows: field("outputKey", "optimizer-generate"), as: "output" },
    evaluateOutput: {
      to: outputs.decidedElsewhere,
      shows: field("outputKey", "optimizer-evaluate"),
      as: "decidedElsewhere",
    },
    targetScore: {
      to: 5,
      after: (flow) => flow.setRow("optimizer-evaluate", { score: 5 }),
      shows: ({ plan }) => planOf("loop", plan)?.until,
      as: true,
    },
    maxIterations: { to: 3, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 3 },
    onMaxReached: { to: "fail", shows: ({ plan }) => planOf("loop", plan)?.onMaxReached, as: "fail" },
    skipIf: { to: true, shows: skippedTasks, as: ["optimizer-generate", "optimizer-evaluate"] },
    children: { to: "Draw.", shows: field("prompt", "optimizer-generate"), as: "Draw." },
  } satisfies PropEffects<OptimizerProps>,
} satisfies PropTable;
