import { findDatabase } from "../../operations/index.js";
import { databaseName } from "../../store/index.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { formatTable } from "../output/table.js";

export const dbCheck = defineCommand({
  examples: [
    {
      command: "treadle db check service.db postgres://app@db.internal/work",
      meaning: "whether a copy has every row as it was",
    },
    { command: "treadle db check service.db copy.db --json", meaning: "the same for a program" },
  ],
  gateway: { cannot: "databases are compared where they can be opened" },
  configure(command) {
    command
      .argument("<one>", "a database file, or postgres://…")
      .argument("<other>", "the one to compare it with");
  },
  async run({ terminal, args }) {
    const [one, other] = args.map((named) => findDatabase(terminal.cwd, named as string)) as [string, string];
    const { compareDatabases } = await import("../../store/transfer/compare-databases.js");
    const tables = await compareDatabases(one, other);
    const different = tables.filter(({ equal }) => !equal);
    const equal = different.length === 0;
    const rows = different.map(({ table, rows: [a, b] }) => [table, `${a ?? "none"}`, `${b ?? "none"}`]);
    return {
      json: { one: databaseName(one), other: databaseName(other), equal, tables },
      text: (colors, width) =>
        equal
          ? `${colors.green("✓")} ${tables.length} tables have the same columns, rows and values.`
          : formatTable(["DIFFERENT", "ROWS IN THE ONE", "IN THE OTHER"], rows, { width }),
      ...(!equal && { exitCode: EXIT.runFailed }),
    };
  },
});
