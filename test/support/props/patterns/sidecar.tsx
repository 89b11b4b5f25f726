import { components } from "../../../../src/components/components.js";
import type { SidecarProps } from "../../../../src/components/patterns/Sidecar.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "one", generate: async () => "" };
const other = { id: "two", generate: async () => "" };
const scorer = { id: "q", name: "Q", description: "", score: async () => ({ score: 1 }) };
const scorers = { q: { scorer } };

export const sidecarTable = {
  component: components.Sidecar,
  base: { agent, sidecar: agent, output: outputs.note, prompt: "Write." },
  effects: {
    id: { to: "s", shows: tasksInside, as: ["s", "s-sidecar"] },
    agent: { to: other, shows: field("agent", "sidecar"), as: other },
    sidecar: { to: other, shows: field("agent", "sidecar-sidecar"), as: other },
    output: { to: outputs.output, shows: field("outputKey", "sidecar"), as: "output" },
    sidecarOutput: { to: outputs.output, shows: field("outputKey", "sidecar-sidecar"), as: "output" },
    scorers: { to: scorers, shows: tasksInside, as: ["sidecar", "sidecar-sidecar", "sidecar-delta"] },
    prompt: { to: "Draw.", shows: field("prompt", "sidecar-sidecar"), as: "Draw." },
    input: { to: "Now.", shows: field("prompt", "sidecar"), as: "Write.\n\nNow." },
    maxConcurrency: { to: 1, shows: ({ plan }) => planOf("parallel", plan)?.cap, as: 1 },
    groundTruth: {
      to: "g",
      given: { scorers },
      shows: field("scorers", "sidecar"),
      as: { q: { scorer, groundTruth: "g" } },
    },
    context: {
      to: ["c"],
      given: { scorers },
      shows: field("scorers", "sidecar"),
      as: { q: { scorer, context: ["c"] } },
    },
    primaryLabel: { to: "Big", shows: field("label", "sidecar"), as: "Big" },
    sidecarLabel: { to: "Small", shows: field("label", "sidecar-sidecar"), as: "Small" },
    skipIf: { to: true, shows: skippedTasks, as: ["sidecar", "sidecar-sidecar"] },
    children: { to: "Be brief.", shows: field("prompt", "sidecar"), as: "Write.\n\nBe brief." },
  } satisfies PropEffects<SidecarProps>,
} satisfies PropTable;
