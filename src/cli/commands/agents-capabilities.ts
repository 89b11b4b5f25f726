import { defineCommand } from "../command.js";
import { jsonText } from "../output/json-text.js";
import { chosenEngines } from "../input/engines.js";

export const agentsCapabilities = defineCommand({
  examples: [
    { command: "treadle agents capabilities", meaning: "all registries as JSON" },
    { command: "treadle agents capabilities codex", meaning: "one of them" },
  ],
  configure: (command) => command.argument("[engine...]", "engines (default: all)"),
  async run({ args }) {
    const engines = chosenEngines((args[0] ?? []) as readonly string[]);
    const { CLI_CAPABILITIES, hashCapabilityRegistry } = await import("../../agents/cli/index.js");
    const agents = engines.map((engine) => ({
      ...CLI_CAPABILITIES[engine],
      fingerprint: hashCapabilityRegistry(CLI_CAPABILITIES[engine]),
    }));
    // Registries are data: people and programs get the same text.
    return { json: { agents }, text: () => jsonText({ agents }) };
  },
});
