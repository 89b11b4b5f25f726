import type { CliGroup } from "../command.js";

export const cron: CliGroup = {
  commands: {
    list: {
      summary: "list schedules with their next times",
      load: async () => (await import("./cron-list.js")).cronList,
    },
    create: {
      summary: "create a schedule for a workflow of a gateway",
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
      summary: "request a run of a schedule now",
      load: async () => (await import("./cron-run.js")).cronRun,
    },
    history: {
      summary: "show the past times of a schedule and their runs",
      load: async () => (await import("./cron-history.js")).cronHistory,
    },
  },
};
