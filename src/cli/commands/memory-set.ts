import { defineCommand } from "../command.js";
import { readTextArgument } from "../input/json-argument.js";
import { duration } from "../input/option-values.js";
import { MEMORY_IS_LOCAL, namespaceOf, openMemory } from "../runs/open-memory.js";

interface MemorySetOptions {
  namespace?: string;
  ttl?: number;
  dryRun?: boolean;
}

export const memorySet = defineCommand<MemorySetOptions>({
  examples: [
    { command: "treadle memory set language Portuguese --namespace user:ada", meaning: "a text" },
    {
      command: `treadle memory set code '{"pin":4711}' --namespace user:ada --ttl 10m`,
      meaning: "JSON, for ten minutes",
    },
  ],
  gateway: MEMORY_IS_LOCAL,
  configure(command) {
    command
      .argument("<key>", "key of the fact; one that is there is replaced")
      .argument("<value>", "JSON, or a text; @file; - for standard input")
      .option("--namespace <kind:id>", "where it is kept")
      .option("--ttl <duration>", "how long it can be read (default: for ever)", duration("--ttl"))
      .option("--dry-run", "only show what would be replaced");
  },
  async run(call) {
    const { args, options, terminal } = call;
    const [key, given] = args as [string, string];
    const { ttl, dryRun = false } = options;
    const { text } = await readTextArgument({ option: "value", value: given }, terminal);
    const namespace = namespaceOf(options);
    const memory = await openMemory(call, { readOnly: dryRun });
    const replaced = await memory.getFact(namespace, key);
    if (dryRun) {
      return {
        json: { dryRun, namespace, key, replaces: replaced ?? null },
        text: () => `Would ${replaced === undefined ? "write" : "replace"} ${key} in ${namespace}.`,
      };
    }
    const fact = await memory.setFact(namespace, key, valueFrom(text), ttl);
    return { json: fact, text: () => `${fact.key} was written to ${fact.namespace}.` };
  },
});

/** A value that is no JSON is a text. */
function valueFrom(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
