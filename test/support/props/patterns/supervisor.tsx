import { components } from "../../../../src/components/components.js";
import type { SupervisorProps } from "../../../../src/components/patterns/Supervisor.js";
import { outputs, type Rig } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "one", generate: async () => "" };
const other = { id: "two", generate: async () => "" };
const planned = (flow: Rig) =>
  flow.setRow("supervisor-plan", { tasks: [{ id: "1", workerType: "coder", instructions: "Code." }] });
const worker = "supervisor-worker-coder";

export const supervisorTable = {
  component: components.Supervisor,
  base: {
    boss: agent,
    workers: { coder: agent, tester: agent },
    planOutput: outputs.decided,
    workerOutput: outputs.note,
    reviewOutput: outputs.decided,
    finalOutput: outputs.note,
    children: "Ship it.",
  },
  effects: {
    id: { to: "s", shows: tasksInside, as: ["s-plan", "s-final"] },
    boss: { to: other, shows: field("agent", "supervisor-plan"), as: other },
    workers: { to: { coder: other }, after: planned, shows: field("agent", worker), as: other },
    planOutput: {
      to: outputs.decidedElsewhere,
      shows: field("outputKey", "supervisor-plan"),
      as: "decidedElsewhere",
    },
    workerOutput: { to: outputs.output, after: planned, shows: field("outputKey", worker), as: "output" },
    reviewOutput: {
      to: outputs.decidedElsewhere,
      after: planned,
      shows: field("outputKey", "supervisor-review"),
      as: "decidedElsewhere",
    },
    finalOutput: { to: outputs.output, shows: field("outputKey", "supervisor-final"), as: "output" },
    maxIterations: { to: 7, after: planned, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 7 },
    maxConcurrency: { to: 2, after: planned, shows: field("parallelMaxConcurrency", worker), as: 2 },
    useWorktrees: {
      to: true,
      after: planned,
      shows: field("worktreeBranch", worker),
      as: `worker/${worker}`,
    },
    skipIf: { to: true, shows: skippedTasks, as: ["supervisor-plan", "supervisor-final"] },
    children: {
      to: "Tidy up.",
      shows: (frame) => String(field("prompt", "supervisor-plan")(frame)).split("\n")[0],
      as: "Tidy up.",
    },
  } satisfies PropEffects<SupervisorProps>,
} satisfies PropTable;
