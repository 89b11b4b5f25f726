import { defineCommand } from "../command.js";
import { factNotFound, namespaceOf } from "../runs/open-memory.js";
import { withPlace } from "../source/open-place.js";

interface MemoryGetOptions {
  namespace?: string;
}

export const memoryGet = defineCommand<MemoryGetOptions>({
  examples: [
    { command: "treadle memory get language --namespace user:ada", meaning: "the value of one fact" },
    {
      command: "treadle memory get language --namespace user:ada --json",
      meaning: "the fact with its times",
    },
  ],
  gateway: "asked",
  configure(command) {
    command.argument("<key>", "key of the fact").option("--namespace <kind:id>", "where it is");
  },
  async run(call) {
    const key = call.args[0] as string;
    const namespace = namespaceOf(call.options);
    const [fact] = (await withPlace(call, (place) => place.listMemoryFacts({ namespace, key, limit: 1 })))
      .facts;
    if (fact === undefined) throw factNotFound(namespace, key);
    return { json: fact, text: () => JSON.stringify(JSON.parse(fact.valueJson), null, 2) };
  },
});
