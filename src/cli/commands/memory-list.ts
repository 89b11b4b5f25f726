import { listMemoryFacts } from "../../operations/list-memory-facts.js";
import { openWorkspace } from "../../operations/workspace/open-workspace.js";
import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { factTable } from "../output/memory-text.js";
import { MEMORY_IS_LOCAL } from "../runs/open-memory.js";

interface MemoryListOptions {
  namespace?: string;
  limit?: number;
}

export const memoryList = defineCommand<MemoryListOptions>({
  examples: [
    { command: "treadle memory list", meaning: "what this workspace remembers" },
    {
      command: "treadle memory list --namespace user:ada --json",
      meaning: "what it remembers of Ada, as data",
    },
  ],
  gateway: MEMORY_IS_LOCAL,
  configure(command) {
    command
      .option("--namespace <kind:id>", "only these facts")
      .option("-l, --limit <n>", "facts shown at most (default: 500)", positiveInteger("--limit"));
  },
  async run({ terminal, options }) {
    const { db } = await openWorkspace(terminal, { ...options, readOnly: true });
    const { namespace, limit } = options;
    const page = await listMemoryFacts(db, {
      ...(namespace !== undefined && { namespace }),
      ...(limit !== undefined && { limit }),
    });
    const more = page.nextCursor === null ? "" : "\nThere are more: name a namespace, or raise --limit.";
    return {
      json: page,
      text: (colors) =>
        page.facts.length === 0 ? "There are no facts." : `${factTable(page.facts, colors)}${more}`,
    };
  },
});
