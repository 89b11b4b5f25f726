import { components } from "../../../../src/components/components.js";
import type { ReviewLoopProps } from "../../../../src/components/patterns/ReviewLoop.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };

export const reviewLoopTable = {
  component: components.ReviewLoop,
  base: {
    producer: agent,
    reviewer: agent,
    produceOutput: outputs.note,
    reviewOutput: outputs.verdict,
    children: "Write.",
  },
  effects: {
    id: { to: "r", shows: tasksInside, as: ["r-produce", "r-review"] },
    producer: { to: [other, agent], shows: field("agent", "review-loop-produce"), as: [other, agent] },
    reviewer: {
      to: [agent, other],
      shows: tasksInside,
      as: ["review-loop-produce", "review-loop-review-0", "review-loop-review-1"],
    },
    produceOutput: { to: outputs.output, shows: field("outputKey", "review-loop-produce"), as: "output" },
    reviewOutput: { to: outputs.decided, shows: field("outputKey", "review-loop-review"), as: "decided" },
    maxIterations: { to: 9, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 9 },
    onMaxReached: { to: "fail", shows: ({ plan }) => planOf("loop", plan)?.onMaxReached, as: "fail" },
    skipIf: { to: true, shows: skippedTasks, as: ["review-loop-produce", "review-loop-review"] },
    children: { to: "Draw.", shows: field("prompt", "review-loop-produce"), as: "Draw." },
  } satisfies PropEffects<ReviewLoopProps>,
} satisfies PropTable;
