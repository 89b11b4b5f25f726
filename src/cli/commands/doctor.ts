import { AGENT_ENGINES } from "../../model/agent.js";
import { defineCommand } from "../command.js";
import type { Check } from "../doctor/checks.js";
import { EXIT } from "../exit-codes.js";
import type { Colors } from "../output/styles.js";
import { formatTable } from "../output/table.js";
import { agentTable } from "./agents-doctor.js";

export const doctor = defineCommand({
  examples: [
    { command: "treadle doctor", meaning: "check this machine and this workspace" },
    { command: "treadle doctor flow.tsx", meaning: "also whether this workflow file is in order" },
    { command: "treadle doctor --json", meaning: "the same as data; exit code 1 if something is broken" },
  ],
  configure(command) {
    command.argument(
      "[workflow]",
      "workflow to look into as well: a file, or the name of one of the workspace",
    );
  },
  async run({ terminal, args, options }) {
    const file = args[0] as string | undefined;
    const [{ runChecks }, { checkAgents }] = await Promise.all([
      import("../doctor/checks.js"),
      import("../../operations/index.js"),
    ]);
    const [checks, agents] = await Promise.all([
      runChecks({ terminal, db: options.db, ...(file !== undefined && { file }) }),
      checkAgents(AGENT_ENGINES),
    ]);
    const isOk = checks.every(({ status }) => status !== "failed");
    return {
      json: { ok: isOk, checks, agents },
      text: (colors, width) => `${checkTable(checks, colors, width)}\n\n${agentTable(agents, colors, width)}`,
      exitCode: isOk ? EXIT.ok : EXIT.runFailed,
    };
  },
});

function checkTable(checks: readonly Check[], colors: Colors, width: number): string {
  const signs = { ok: colors.green("✓"), warning: colors.yellow("!"), failed: colors.red("✗") };
  const rows = checks.map(({ name, status, message }) => [`${signs[status]} ${name}`, message]);
  return formatTable(["  CHECK", ""].map(colors.dim), rows, { width, names: ["CHECK"], breaksLast: true });
}
