import { AGENT_ENGINES } from "../../model/agent.js";
import { defineCommand } from "../command.js";
import { formatTable } from "../output/table.js";

export const agentsList = defineCommand({
  examples: [
    { command: "treadle agents list", meaning: "engines and the classes to import from treadle/agents" },
    { command: "treadle agents list --json", meaning: "the same as data" },
  ],
  configure: () => {},
  async run() {
    const { CLI_AGENTS } = await import("../../agents/cli/index.js");
    const agents = AGENT_ENGINES.map((engine) => {
      const { className, alias, deprecated } = CLI_AGENTS[engine];
      return { engine, className, alias, deprecated };
    });
    return {
      json: { agents },
      text: (colors, width) =>
        formatTable(
          ["ENGINE", "CLASS", "ALIAS", ""].map(colors.dim),
          agents.map(({ engine, className, alias, deprecated }) => [
            engine,
            className,
            alias,
            deprecated ? colors.yellow("deprecated") : "",
          ]),
          { width, names: ["ENGINE", "CLASS"] },
        ),
    };
  },
});
