import type { CliGroup } from "../command.js";

export const cron: CliGroup = {
  commands: {
    list: {
      summary: "list schedules with their next times",
      load: async () => (await import("./cron-list.js")).cronList,
    },
    create: {
      summary: "make a schedule for a workflow of a gateway",
      load: async () => (await import("./cron-create.js")).cronCreate,
    },
    update: {
      summary: "change a schedule, or switch it on or off",
      load: async () => (await import("./cron-update.js")).cronUpdate,
    },
    delete: {
      summary: "delete a schedule with its history",
      load: async () => (await import("./cron-delete.js")).cronDelete,
    },
    run: {
      summary: "ask for a run of a schedule now",
      load: async () => (await import("./cron-run.js")).cronRun,
    },
    history: {
      summary: "show when a schedule was due, and what came of it",
      load: async () => (await import("./cron-history.js")).cronHistory,
    },
  },
};
