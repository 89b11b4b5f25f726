import { defineCommand } from "../command.js";
import type { AgentCheck } from "../../operations/index.js";
import { EXIT } from "../exit-codes.js";
import { chosenEngines } from "../input/engines.js";
import type { Colors } from "../output/styles.js";
import { formatTable } from "../output/table.js";

export const agentsDoctor = defineCommand({
  examples: [
    { command: "treadle agents doctor", meaning: "every tool that is installed here" },
    {
      command: "treadle agents doctor codex claude-code",
      meaning: "these two; exit code 1 if one cannot work",
    },
  ],
  configure: (command) => command.argument("[engine...]", "engines (default: all)"),
  async run({ args }) {
    const named = (args[0] ?? []) as readonly string[];
    const engines = chosenEngines(named);
    const { checkAgents } = await import("../../operations/index.js");
    const agents = await checkAgents(engines);
    // No machine has all of them: one that is not installed is a failure only if it was named.
    const failed = agents.filter(
      ({ problem, isInstalled }) => problem !== undefined && (isInstalled || named.length > 0),
    );
    return {
      json: { ok: failed.length === 0, agents },
      text: (colors, width) => agentTable(agents, colors, width),
      exitCode: failed.length === 0 ? EXIT.ok : EXIT.runFailed,
    };
  },
});

export function agentTable(agents: readonly AgentCheck[], colors: Colors, width: number): string {
  const rows = agents.map(({ engine, isInstalled, version, checkedAgainst, auth, problem }) => [
    `${signOf({ isInstalled, isBroken: problem !== undefined }, colors)} ${engine}`,
    isInstalled ? (version ?? "unknown version") : "not installed",
    isInstalled ? `checked against ${checkedAgainst}` : "",
    isInstalled && auth !== "unknown" ? `sign-in ${auth}` : "",
    isInstalled && problem !== undefined ? colors.red(problem.summary) : "",
  ]);
  return formatTable(["  AGENT", "VERSION", "", "", ""].map(colors.dim), rows, {
    width,
    names: ["AGENT"],
    breaksLast: true,
  });
}

function signOf(
  { isInstalled, isBroken }: { isInstalled: boolean; isBroken: boolean },
  colors: Colors,
): string {
  if (!isInstalled) return colors.dim("-");
  return isBroken ? colors.red("✗") : colors.green("✓");
}
