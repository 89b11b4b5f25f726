import type { CliGroup } from "../command.js";

export const workflow: CliGroup = {
  commands: {
    list: {
      summary: "list the workflows of this workspace",
      load: async () => (await import("./workflow-list.js")).workflowList,
    },
    run: {
      summary: "start a workflow by its name or path, as up without --resume",
      load: async () => (await import("./workflow-run.js")).workflowRun,
    },
    inspect: {
      summary: "show schemas, limits, alerts and the first frame of a workflow",
      load: async () => (await import("./workflow-inspect.js")).workflowInspect,
    },
  },
};
