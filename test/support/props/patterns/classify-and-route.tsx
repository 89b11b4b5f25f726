import { expect } from "vitest";
import { components } from "../../../../src/components/components.js";
import type { ClassifyAndRouteProps } from "../../../../src/components/patterns/ClassifyAndRoute.js";
import { outputs, type Rig } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };
const P = "classify-and-route";
const items = [{ id: "T-1" }, { id: "T-2" }];

const assigned = (flow: Rig) =>
  flow.setRow(`${P}-assign`, {
    routes: items.map((item) => ({ itemId: item.id, category: "bug", item })),
  });

export const classifyAndRouteTable = {
  component: components.ClassifyAndRoute,
  base: {
    items,
    categories: { bug: agent },
    classifierAgent: agent,
    classifierOutput: outputs.decided,
    routeOutput: outputs.note,
  },
  effects: {
    id: { to: "c", shows: tasksInside, as: ["c-classify", "c-assign"] },
    items: { to: [], shows: tasksInside, as: [] },
    categories: {
      to: { bug: { agent: other, prompt: "Mend it.", description: "What does not work." } },
      after: assigned,
      shows: field("agent", `${P}-route-T-1`),
      as: other,
    },
    classifierAgent: { to: [other, agent], shows: field("agent", `${P}-classify`), as: [other, agent] },
    classifierOutput: {
      to: outputs.decidedElsewhere,
      shows: field("outputKey", `${P}-classify`),
      as: "decidedElsewhere",
    },
    routeOutput: {
      to: outputs.output,
      after: assigned,
      shows: field("outputKey", `${P}-route-T-2`),
      as: "output",
    },
    classificationResult: { to: { classifications: [] }, shows: skippedTasks, as: [`${P}-classify`] },
    maxConcurrency: {
      to: 1,
      after: assigned,
      shows: ({ plan }) => planOf("parallel", plan)?.cap,
      as: 1,
    },
    skipIf: { to: true, shows: skippedTasks, as: [`${P}-classify`, `${P}-assign`] },
    children: {
      to: "They are tickets.",
      shows: field("prompt", `${P}-classify`),
      as: expect.stringContaining("They are tickets."),
    },
  } satisfies PropEffects<ClassifyAndRouteProps>,
} satisfies PropTable;
