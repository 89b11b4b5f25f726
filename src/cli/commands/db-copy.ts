import { copyWorkspace, findDatabase } from "../../operations/index.js";
import { databaseAt, databaseName } from "../../store/index.js";
import { defineCommand } from "../command.js";

export const dbCopy = defineCommand<{ dryRun?: boolean }>({
  examples: [
    {
      command: "treadle db copy service.db postgres://app@db.internal/work",
      meaning: "move a workspace to a server; its runs continue there",
    },
    { command: "treadle db copy postgres://app@db.internal/work copy.db", meaning: "and back, to a file" },
  ],
  gateway: { cannot: "a database is copied where it can be opened" },
  configure(command) {
    command
      .argument("<from>", "a database file, or postgres://…")
      .argument("<to>", "a file that is not there yet, or a Postgres schema without runs")
      .option("--dry-run", "only check both, and count the rows");
  },
  async run({ terminal, args, options }) {
    const from = findDatabase(terminal.cwd, args[0] as string);
    const to = databaseAt(terminal.cwd, args[1] as string);
    const { dryRun = false } = options;
    const tables = await copyWorkspace({ from, to, dryRun });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const runs = tables.find(({ table }) => table === "_service_runs")?.rows ?? 0;
    const copied = `${runs} ${runs === 1 ? "run" : "runs"} with ${rows} rows`;
    const names = { from: databaseName(from), to: databaseName(to) };
    return {
      json: { ...names, dryRun, runs, rows, tables },
      text: (colors) =>
        dryRun
          ? `Would copy ${copied} to ${names.to}.`
          : `${colors.green("✓")} ${copied} copied to ${names.to}. Let only one of the two databases continue them.`,
    };
  },
});
