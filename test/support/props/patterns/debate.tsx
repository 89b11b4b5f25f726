import { expect } from "vitest";
import { components } from "../../../../src/components/components.js";
import type { DebateProps } from "../../../../src/components/patterns/Debate.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };
const chain = [other, agent];

export const debateTable = {
  component: components.Debate,
  base: {
    proposer: agent,
    opponent: agent,
    judge: agent,
    topic: "Looms.",
    argumentOutput: outputs.note,
    verdictOutput: outputs.verdict,
  },
  effects: {
    id: { to: "d", shows: tasksInside, as: ["d-proposer", "d-opponent", "d-judge"] },
    proposer: { to: chain, shows: field("agent", "debate-proposer"), as: chain },
    opponent: { to: chain, shows: field("agent", "debate-opponent"), as: chain },
    judge: { to: chain, shows: field("agent", "debate-judge"), as: chain },
    rounds: { to: 5, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 5 },
    argumentOutput: { to: outputs.output, shows: field("outputKey", "debate-opponent"), as: "output" },
    verdictOutput: { to: outputs.output, shows: field("outputKey", "debate-judge"), as: "output" },
    topic: {
      to: "Needles.",
      shows: field("prompt", "debate-proposer"),
      as: expect.stringContaining("> Needles."),
    },
    skipIf: { to: true, shows: skippedTasks, as: ["debate-proposer", "debate-opponent", "debate-judge"] },
  } satisfies PropEffects<DebateProps>,
} satisfies PropTable;
