import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { factTable } from "../output/memory-text.js";
import { withPlace } from "../source/open-place.js";

interface MemoryListOptions {
  namespace?: string;
  limit?: number;
}

export const memoryList = defineCommand<MemoryListOptions>({
  examples: [
    { command: "treadle memory list", meaning: "the facts of this workspace" },
    {
      command: "treadle memory list --namespace user:ada --json",
      meaning: "the facts about Ada, as data",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .option("--namespace <kind:id>", "only these facts")
      .option("-l, --limit <n>", "facts shown at most (default: 500)", positiveInteger("--limit"));
  },
  async run(call) {
    const { namespace, limit } = call.options;
    const page = await withPlace(call, (place) => place.listMemoryFacts({ namespace, limit }));
    const more = page.nextCursor === null ? "" : "\nThere are more: name a namespace, or raise --limit.";
    return {
      json: page,
      text: (colors, width) =>
        page.facts.length === 0 ? "There are no facts." : `${factTable(page.facts, colors, width)}${more}`,
    };
  },
});
