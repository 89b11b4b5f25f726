import { threadNotFound } from "../../store/index.js";
import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { conversationText, threadTable } from "../output/memory-text.js";
import { THREADS_ARE_LOCAL, openMemory } from "../runs/open-memory.js";

interface MemoryThreadsOptions {
  namespace?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 50;

export const memoryThreads = defineCommand<MemoryThreadsOptions>({
  examples: [
    { command: "treadle memory threads", meaning: "conversations, the newest first" },
    { command: "treadle memory threads support-1 --limit 10", meaning: "the last ten messages of one" },
  ],
  gateway: THREADS_ARE_LOCAL,
  configure(command) {
    command
      .argument("[thread]", "id of a conversation, to print it")
      .option("--namespace <kind:id>", "only those of this namespace")
      .option(
        "-l, --limit <n>",
        "conversations, or newest messages, shown at most (default: 50)",
        positiveInteger("--limit"),
      );
  },
  async run(call) {
    const threadId = call.args[0] as string | undefined;
    const { namespace, limit = DEFAULT_LIMIT } = call.options;
    const memory = await openMemory(call, { readOnly: true });
    if (threadId === undefined) {
      const threads = (await memory.listThreads(namespace)).slice(0, limit);
      return {
        json: { threads },
        text: (colors, width) =>
          threads.length === 0 ? "There are no conversations." : threadTable(threads, colors, width),
      };
    }
    const thread = await memory.getThread(threadId);
    if (thread === undefined) throw threadNotFound(threadId);
    const messages = await memory.listMessages(threadId, limit);
    return { json: { thread, messages }, text: (colors) => conversationText(messages, colors) };
  },
});
