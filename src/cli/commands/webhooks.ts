import type { CliGroup } from "../command.js";

export const webhooks: CliGroup = {
  commands: {
    list: {
      summary: "list what came to the webhook of a workflow, and what was refused",
      load: async () => (await import("./webhooks-list.js")).webhooksList,
    },
    replay: {
      summary: "act once more upon what came to a webhook",
      load: async () => (await import("./webhooks-replay.js")).webhooksReplay,
    },
  },
};
