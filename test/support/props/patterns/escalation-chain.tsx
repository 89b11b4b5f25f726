import { components } from "../../../../src/components/components.js";
import type { EscalationChainProps } from "../../../../src/components/patterns/EscalationChain.js";
import { outputs, type Rig } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const level = { agent, output: outputs.note };

const escalated = (flow: Rig) => {
  flow.setRow("escalation-check-0", { escalated: true, fromLevel: 0, toLevel: 1 });
};

export const escalationChainTable = {
  component: components.EscalationChain,
  base: { levels: [level], escalationOutput: outputs.decided, children: "Settle it." },
  effects: {
    id: { to: "e", shows: tasksInside, as: ["e-level-0", "e-check-0"] },
    levels: {
      to: [level, { ...level, label: "Chief" }],
      after: escalated,
      shows: tasksInside,
      as: ["escalation-level-0", "escalation-check-0", "escalation-level-1", "escalation-check-1"],
    },
    humanFallback: {
      to: true,
      after: escalated,
      shows: tasksInside,
      as: ["escalation-level-0", "escalation-check-0", "escalation-human-fallback"],
    },
    humanRequest: {
      to: { title: "Help?" },
      given: { humanFallback: true },
      after: escalated,
      shows: field("approvalRequest", "escalation-human-fallback"),
      as: { title: "Help?" },
    },
    escalationOutput: {
      to: outputs.decidedElsewhere,
      shows: field("outputKey", "escalation-check-0"),
      as: "decidedElsewhere",
    },
    skipIf: { to: true, shows: skippedTasks, as: ["escalation-level-0", "escalation-check-0"] },
    children: { to: "Mend it.", shows: field("prompt", "escalation-level-0"), as: "Mend it." },
  } satisfies PropEffects<EscalationChainProps>,
} satisfies PropTable;
