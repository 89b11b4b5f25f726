import { expect } from "vitest";
import { components } from "../../../../src/components/components.js";
import type { GatherAndSynthesizeProps } from "../../../../src/components/patterns/GatherAndSynthesize.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const other = { id: "editor", generate: async () => "" };
const P = "gather-and-synthesize";
const prompt = field("prompt", `${P}-synthesize`);

export const gatherAndSynthesizeTable = {
  component: components.GatherAndSynthesize,
  base: {
    sources: { code: agent, law: agent },
    synthesizer: agent,
    gatherOutput: outputs.note,
    synthesisOutput: outputs.verdict,
    children: "May we?",
  },
  effects: {
    id: { to: "g", shows: tasksInside, as: ["g-gather-code", "g-gather-law", "g-gathered", "g-synthesize"] },
    sources: {
      to: { "a b": { agent, prompt: "Only here." } },
      shows: tasksInside,
      as: [`${P}-gather-a:20b`, `${P}-gathered`, `${P}-synthesize`],
    },
    synthesizer: { to: [other, agent], shows: field("agent", `${P}-synthesize`), as: [other, agent] },
    gatherOutput: { to: outputs.output, shows: field("outputKey", `${P}-gather-law`), as: "output" },
    synthesisOutput: { to: outputs.output, shows: field("outputKey", `${P}-synthesize`), as: "output" },
    gatheredResults: {
      to: { code: { text: "ours" } },
      after: (flow) => flow.setRow(`${P}-gather-code`, { text: "theirs" }),
      shows: prompt,
      as: expect.stringMatching(/^(?!.*theirs).*ours/s),
    },
    maxConcurrency: { to: 1, shows: ({ plan }) => planOf("parallel", plan)?.cap, as: 1 },
    synthesisPrompt: { to: "Be brief.", shows: prompt, as: expect.stringMatching(/^Be brief\./) },
    skipIf: {
      to: true,
      shows: skippedTasks,
      as: [`${P}-gather-code`, `${P}-gather-law`, `${P}-gathered`, `${P}-synthesize`],
    },
    children: { to: "Why?", shows: field("prompt", `${P}-gather-code`), as: "Why?" },
  } satisfies PropEffects<GatherAndSynthesizeProps>,
} satisfies PropTable;
