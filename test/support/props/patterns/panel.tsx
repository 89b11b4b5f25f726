import { components } from "../../../../src/components/components.js";
import type { PanelProps } from "../../../../src/components/patterns/Panel.js";
import { outputs, task } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };

/** What the panel comes to when one votes yes and one no. */
const tally = (name: string) => (frame: Parameters<typeof task>[0]) => {
  const { computeFn } = task(frame, "panel-tally");
  const row = computeFn?.(
    { "panel-panelist-0": { vote: "yes" }, "panel-panelist-1": { vote: "no" } },
    {} as never,
  );
  return (row as unknown as Record<string, unknown>)[name];
};

export const panelTable = {
  component: components.Panel,
  base: {
    panelists: [agent, agent],
    moderator: agent,
    panelistOutput: outputs.note,
    moderatorOutput: outputs.verdict,
    children: "Shall we?",
  },
  effects: {
    id: { to: "p", shows: tasksInside, as: ["p-panelist-0", "p-panelist-1", "p-tally", "p-moderator"] },
    panelists: {
      to: [
        { agent, label: "a b" },
        { agent: [agent, other], role: "critic" },
        { agent, label: "moderator" },
        { agent, role: "critic" },
      ],
      shows: tasksInside,
      as: [
        "panel-a:20b",
        "panel-critic",
        "panel-moderator-2",
        "panel-critic-2",
        "panel-tally",
        "panel-moderator",
      ],
    },
    moderator: { to: [other, agent], shows: field("agent", "panel-moderator"), as: [other, agent] },
    panelistOutput: { to: outputs.decided, shows: field("outputKey", "panel-panelist-1"), as: "decided" },
    moderatorOutput: { to: outputs.output, shows: field("outputKey", "panel-moderator"), as: "output" },
    strategy: {
      to: "vote",
      shows: tally("votes"),
      as: [
        { vote: "yes", count: 1, by: ["panelist-0"] },
        { vote: "no", count: 1, by: ["panelist-1"] },
      ],
    },
    minAgree: { to: 1, given: { strategy: "consensus" }, shows: tally("minAgree"), as: 1 },
    maxConcurrency: { to: 1, shows: ({ plan }) => planOf("parallel", plan)?.cap, as: 1 },
    skipIf: {
      to: true,
      shows: skippedTasks,
      as: ["panel-panelist-0", "panel-panelist-1", "panel-tally", "panel-moderator"],
    },
    children: { to: "Why?", shows: field("prompt", "panel-panelist-0"), as: "Why?" },
  } satisfies PropEffects<PanelProps>,
} satisfies PropTable;
