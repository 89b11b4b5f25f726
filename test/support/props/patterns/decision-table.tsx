import { components } from "../../../../src/components/components.js";
import type { DecisionTableProps } from "../../../../src/components/patterns/DecisionTable.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const { Task } = components;
const rule = (id: string, when: boolean) => ({
  when,
  then: (
    <Task id={id} output={outputs.note}>
      {{ text: id }}
    </Task>
  ),
});

export const decisionTableTable = {
  component: components.DecisionTable,
  base: { rules: [rule("a", true), rule("b", true)] },
  effects: {
    id: { to: "table", shows: field("parallelGroupId"), as: "table-rule-0" },
    rules: { to: [rule("a", false), rule("b", true)], shows: tasksInside, as: ["b"] },
    default: {
      to: rule("otherwise", true).then,
      given: { rules: [rule("a", false)] },
      shows: tasksInside,
      as: ["otherwise"],
    },
    strategy: { to: "all-match", shows: tasksInside, as: ["a", "b"] },
    skipIf: { to: true, shows: skippedTasks, as: ["a"] },
  } satisfies PropEffects<DecisionTableProps>,
} satisfies PropTable;
