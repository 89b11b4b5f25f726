import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { factNotFound, MEMORY_IS_LOCAL, namespaceOf, openMemory } from "../runs/open-memory.js";

interface MemoryDeleteOptions {
  namespace?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export const memoryDelete = defineCommand<MemoryDeleteOptions>({
  examples: [
    { command: "treadle memory delete language --namespace user:ada", meaning: "after a question" },
    { command: "treadle memory delete language --namespace user:ada --yes", meaning: "without one" },
  ],
  gateway: MEMORY_IS_LOCAL,
  configure(command) {
    command
      .argument("<key>", "key of the fact")
      .option("--namespace <kind:id>", "where it is")
      .option("--dry-run", "only show what would be deleted")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { args, options, terminal } = call;
    const key = args[0] as string;
    const { dryRun = false, yes = false } = options;
    const namespace = namespaceOf(options);
    const memory = await openMemory(call, { readOnly: dryRun });
    const fact = await memory.getFact(namespace, key);
    if (fact === undefined) throw factNotFound(namespace, key);
    const facts = { namespace: fact.namespace, key };
    if (dryRun) {
      return {
        json: { dryRun, ...facts, removed: false },
        text: () => `Would delete ${key} of ${fact.namespace}.`,
      };
    }
    if (!(await confirm(`Delete ${key} of ${fact.namespace} for good?`, { terminal, yes }))) {
      return {
        json: { ...facts, removed: false },
        text: () => "Nothing was deleted.",
        exitCode: EXIT.cancelled,
      };
    }
    const removed = await memory.deleteFact(namespace, key);
    return { json: { ...facts, removed }, text: () => `${key} of ${fact.namespace} was deleted.` };
  },
});
