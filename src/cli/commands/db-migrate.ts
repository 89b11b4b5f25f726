import { findDatabase } from "../../operations/index.js";
import { databaseName } from "../../store/index.js";
import { defineCommand } from "../command.js";

export const dbMigrate = defineCommand<{ dryRun?: boolean }>({
  examples: [
    { command: "treadle db migrate --dry-run", meaning: "which migrations this database lacks" },
    {
      command: "treadle db migrate postgres://app@db.internal/work",
      meaning: "do them, before processes with this treadle start",
    },
  ],
  gateway: { cannot: "tables are migrated where the database can be opened" },
  configure(command) {
    command
      .argument("[database]", "a database file, or postgres://… (default: --db, else service.db here)")
      .option("--dry-run", "only show the migrations");
  },
  async run({ terminal, args, options }) {
    const path = findDatabase(terminal.cwd, (args[0] as string | undefined) ?? options.db);
    const { dryRun = false } = options;
    const [{ lookAtDatabase }, { openExisting }] = await Promise.all([
      import("../../operations/workspace/look-at-database.js"),
      import("../../store/open-existing.js"),
    ]);
    const { version, pending } = await lookAtDatabase(path);
    if (pending.length > 0 && !dryRun) {
      const store = openExisting(path);
      try {
        await store.prepare();
      } finally {
        await store.close();
      }
    }
    const name = databaseName(path);
    const list = pending.map((each) => `  ${each.version} ${each.name}`);
    return {
      json: { database: name, dryRun, version: pending.at(-1)?.version ?? version, from: version, pending },
      text: (colors) => {
        if (list.length === 0) return `${name} has version ${version}: nothing to do.`;
        return [
          dryRun ? `${name} lacks:` : `${colors.green("✓")} ${name} was brought up to date:`,
          ...list,
        ].join("\n");
      },
    };
  },
});
