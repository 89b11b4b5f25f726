import { components } from "../../../../src/components/components.js";
import type { RunbookProps } from "../../../../src/components/patterns/Runbook.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "operator", generate: async () => "" };
const step = { id: "drain", agent, command: "true", risk: "risky" };
const nodes = ["runbook-drain-approval", "runbook-drain"];

export const runbookTable = {
  component: components.Runbook,
  base: { steps: [step], stepOutput: outputs.note },
  effects: {
    id: { to: "r", shows: tasksInside, as: ["r-drain-approval", "r-drain"] },
    steps: { to: [{ ...step, id: "look", risk: "safe" }], shows: tasksInside, as: ["runbook-look"] },
    defaultAgent: {
      to: agent,
      given: { steps: [{ id: "drain", risk: "safe" }] },
      shows: (frame) => field("agent", "runbook-drain")(frame),
      as: agent,
    },
    stepOutput: { to: outputs.output, shows: field("outputKey", "runbook-drain"), as: "output" },
    approvalRequest: {
      to: { title: "Now?", metadata: { team: "x" } },
      shows: field("approvalRequest", "runbook-drain-approval"),
      as: { title: "Now?", summary: "drain: true", metadata: { team: "x", step: "drain", risk: "risky" } },
    },
    onDeny: { to: "skip", shows: field("approvalOnDeny", "runbook-drain-approval"), as: "skip" },
    skipIf: { to: true, shows: skippedTasks, as: nodes },
  } satisfies PropEffects<RunbookProps>,
} satisfies PropTable;
