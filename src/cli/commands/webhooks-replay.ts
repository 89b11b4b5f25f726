import type { ReplayedDelivery } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { workflowKeyOf } from "../runs/workflow-name.js";
import { openPlace } from "../source/open-place.js";

interface WebhooksReplayOptions {
  replayId?: string;
  dryRun?: boolean;
}

export const webhooksReplay = defineCommand<WebhooksReplayOptions>({
  examples: [
    {
      command: "treadle webhooks replay deploy d-4711 --dry-run --gateway http://127.0.0.1:7331",
      meaning: "what it would come to",
    },
    {
      command: "treadle webhooks replay deploy d-4711 --replay-id fix-1 --gateway http://127.0.0.1:7331",
      meaning: "sent again, it is the same replay",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<workflow>", "key under which the gateway has the workflow, or its file")
      .argument("<delivery>", "key or id of the delivery, as webhooks list shows it")
      .option("--replay-id <id>", "the same id is the same replay (default: a random one)")
      .option("--dry-run", "only show what it would come to");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const { replayId, dryRun = false } = options;
    const place = await openPlace(call, { readOnly: dryRun });
    const replayed = await place.webhookReplay({
      workflow: workflowKeyOf(args[0] as string),
      delivery: args[1] as string,
      dryRun,
      ...(replayId !== undefined && { replayId }),
    });
    if (dryRun) return { json: { dryRun, ...replayed }, text: () => `Would be: ${outcome(replayed)}.` };
    return {
      json: replayed,
      text() {
        const { err } = terminal;
        const before = replayed.duplicate ? " (it was replayed before)" : "";
        err.line(`${err.colors.green("✓")} ${outcome(replayed)}${before}`);
        return replayed.deliveryKey;
      },
    };
  },
});

function outcome({ started, delivered }: ReplayedDelivery): string {
  const parts = [
    ...(started === null ? [] : [`run ${started.runId} is started`]),
    ...delivered.map(({ runId, signal }) => `run ${runId} gets the signal ${signal}`),
  ];
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
