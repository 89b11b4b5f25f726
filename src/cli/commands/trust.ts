import { resolve } from "node:path";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";

interface TrustOptions {
  dryRun?: boolean;
  yes?: boolean;
}

export const trust = defineCommand<TrustOptions>({
  examples: [
    {
      command: "treadle trust .",
      meaning: "open databases and load workflows of this folder although other users can write to it",
    },
    { command: "treadle trust service.db --yes", meaning: "only this one, without a question" },
  ],
  configure(command) {
    command
      .argument("<path>", "a database, a workflow, or a folder with everything below it")
      .option("--dry-run", "only show what would be trusted")
      .option("-y, --yes", "do not ask");
  },
  async run({ terminal, args, options }) {
    const path = resolve(terminal.cwd, args[0] as string);
    const { trustWorkspace } = await import("../../operations/trust-workspace.js");
    if (options.dryRun === true) {
      return { json: { dryRun: true, path }, text: () => `Would trust ${path}.` };
    }
    const question = `A database says which files are loaded and which tools are started. Trust ${path}?`;
    if (!(await confirm(question, { terminal, yes: options.yes === true }))) {
      return {
        json: { trusted: null },
        text: () => "nothing was changed",
        exitCode: EXIT.cancelled,
      };
    }
    const trusted = trustWorkspace(path);
    return {
      json: { trusted: trusted.path, file: trusted.file },
      text: (colors) => `${colors.green("✓")} ${trusted.path} is trusted (${trusted.file})`,
    };
  },
});
