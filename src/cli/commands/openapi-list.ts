import type { OpenApiWarning } from "../../openapi/warning.js";
import { defineCommand } from "../command.js";
import { commaList } from "../input/option-values.js";
import { formatTable, oneLine } from "../output/table.js";

interface OpenApiListOptions {
  namePrefix?: string;
  include?: string[];
  exclude?: string[];
}

export const openapiList = defineCommand<OpenApiListOptions>({
  examples: [
    { command: "treadle openapi list petstore.yaml", meaning: "operations and the tools they become" },
    {
      command: "treadle openapi list https://example.com/openapi.json --json",
      meaning: "from an address, as data",
    },
  ],
  configure(command) {
    command
      .argument("<spec>", "file or http(s) address of an OpenAPI 3.x description")
      .option("--name-prefix <text>", "put in front of every tool name")
      .option("--include <ids>", "only these operation ids, comma-separated", commaList)
      .option("--exclude <ids>", "not these operation ids, comma-separated", commaList);
  },
  async run({ args, options }) {
    const { describeOperations } = await import("../../openapi/list-operations.js");
    const { namePrefix, include, exclude } = options;
    const warnings: OpenApiWarning[] = [];
    const operations = await describeOperations(args[0] as string, {
      ...(namePrefix !== undefined && { namePrefix }),
      ...(include !== undefined && { include }),
      ...(exclude !== undefined && { exclude }),
      onWarning: (warning) => warnings.push(warning),
    });
    return {
      json: { operations, warnings },
      text(colors, width) {
        const rows = operations.map((operation) => [
          operation.included ? operation.toolName : colors.dim("(left out)"),
          operation.operationId,
          operation.method,
          operation.path,
          `${operation.callable ? "" : colors.yellow("not callable ")}${oneLine(operation.summary, 60)}`,
        ]);
        const header = ["TOOL", "OPERATION", "METHOD", "PATH", "SUMMARY"].map(colors.dim);
        const table = formatTable(header, rows, { width, names: ["TOOL", "OPERATION"] });
        const all = [...warnings, ...operations.flatMap((operation) => operation.warnings)];
        const notes = all.map(({ kind, message }) => colors.yellow(`! ${kind}: ${message}`));
        return [table === "" ? "No operations." : table, ...notes].join("\n");
      },
    };
  },
});
