import { components } from "../../../../src/components/components.js";
import type { KanbanProps } from "../../../../src/components/patterns/Kanban.js";
import { outputs } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "one", generate: async () => "" };
const other = { id: "two", generate: async () => "" };
const column = { name: "todo", agent, output: outputs.note };

export const kanbanTable = {
  component: components.Kanban,
  base: { columns: [column], useTickets: () => [{ id: "7" }] },
  effects: {
    id: { to: "b", shows: tasksInside, as: ["b-todo-7"] },
    columns: { to: [{ ...column, name: "now" }], shows: tasksInside, as: ["kanban-now-7"] },
    useTickets: {
      to: () => [{ id: "8" }, { id: "9" }],
      shows: tasksInside,
      as: ["kanban-todo-8", "kanban-todo-9"],
    },
    agents: { to: { todo: other }, shows: field("agent", "kanban-todo-7"), as: other },
    maxConcurrency: { to: 3, shows: ({ plan }) => planOf("parallel", plan)?.cap, as: 3 },
    onComplete: { to: outputs.decided, shows: tasksInside, as: ["kanban-todo-7", "kanban-complete"] },
    until: { to: true, shows: ({ plan }) => planOf("loop", plan)?.until, as: true },
    maxIterations: { to: 9, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 9 },
    skipIf: { to: true, shows: skippedTasks, as: ["kanban-todo-7"] },
  } satisfies PropEffects<KanbanProps>,
} satisfies PropTable;
