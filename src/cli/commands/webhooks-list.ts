import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { deliveryListText } from "../output/delivery-text.js";
import { workflowKeyOf } from "../runs/workflow-name.js";
import { withPlace } from "../source/open-place.js";

interface WebhooksListOptions {
  limit: number;
}

export const webhooksList = defineCommand<WebhooksListOptions>({
  examples: [
    { command: "treadle webhooks list deploy", meaning: "what came to it, and what became of that" },
    { command: "treadle webhooks list deploy --limit 200 --json", meaning: "more of it, as data" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<workflow>", "key under which gateways have the workflow, or its file")
      .option("-l, --limit <n>", "deliveries, and refusals, shown at most", positiveInteger("--limit"), 20);
  },
  async run(call) {
    const workflow = workflowKeyOf(call.args[0] as string);
    const { limit } = call.options;
    const list = await withPlace(call, (place) => place.webhookDeliveries({ workflow, limit }));
    return { json: { workflow, ...list }, text: (colors, width) => deliveryListText(list, colors, width) };
  },
});
