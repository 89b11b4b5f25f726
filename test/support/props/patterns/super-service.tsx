import { components } from "../../../../src/components/components.js";
import type { SuperServiceProps } from "../../../../src/components/patterns/SuperService.js";
import type { RenderedFrame } from "../../../../src/model/graph.js";
import { outputs, task } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "one", generate: async () => "" };
const other = { id: "two", generate: async () => "" };
const nodes = ["super-service-read", "super-service-propose", "super-service-apply", "super-service-report"];

/** What the agent is asked, as JSON of its elements. */
const asked = (frame: RenderedFrame) =>
  JSON.stringify(task(frame, "super-service-propose").computeFn?.({ read: { files: [] } }, {} as never));

export const superServiceTable = {
  component: components.SuperService,
  base: { strategy: "Tidy up.", agent },
  effects: {
    id: { to: "s", shows: tasksInside, as: ["s-read", "s-propose", "s-apply", "s-report"] },
    strategy: { to: "Rewrite.", shows: (frame) => asked(frame).includes("Rewrite."), as: true },
    agent: { to: other, shows: field("agent", "super-service-propose"), as: other },
    targetFiles: { to: ["lib"], shows: (frame) => asked(frame).includes("lib"), as: true },
    reportOutput: { to: outputs.decided, shows: field("outputKey", "super-service-report"), as: "decided" },
    dryRun: { to: true, shows: tasksInside, as: nodes.filter((node) => node !== "super-service-apply") },
    skipIf: { to: true, shows: skippedTasks, as: nodes },
  } satisfies PropEffects<SuperServiceProps>,
} satisfies PropTable;
