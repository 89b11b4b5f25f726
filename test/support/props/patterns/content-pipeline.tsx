import { components } from "../../../../src/components/components.js";
import type { ContentPipelineProps } from "../../../../src/components/patterns/ContentPipeline.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "writer", generate: async () => "" };
const stage = (id: string) => ({ id, agent, output: outputs.note });

export const contentPipelineTable = {
  component: components.ContentPipeline,
  base: { stages: [stage("draft"), stage("edit")], children: "Write." },
  effects: {
    id: { to: "p", shows: tasksInside, as: ["p-draft", "p-edit"] },
    stages: { to: [stage("a b")], shows: tasksInside, as: ["content-pipeline-a:20b"] },
    skipIf: { to: true, shows: skippedTasks, as: ["content-pipeline-draft", "content-pipeline-edit"] },
    children: { to: "Draw.", shows: field("prompt", "content-pipeline-draft"), as: "Draw." },
  } satisfies PropEffects<ContentPipelineProps>,
} satisfies PropTable;
