import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { printCounts } from "./counts.js";
import { hostWorkloads } from "./host-workloads.js";
import { hotWorkloads } from "./hot-workloads.js";
import { workloads } from "./workloads.js";

// npm run bench -- [--quick | --hosts | --hot | --count [--write]] [PART OF A NAME …]
const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean" },
    hosts: { type: "boolean" },
    hot: { type: "boolean" },
    count: { type: "boolean" },
    write: { type: "boolean" },
  },
  allowPositionals: true,
});
if (values.count) process.exit(printCounts({ write: values.write }) ? 0 : 1);
const repeat = values.quick ? 3 : 7;
const results = {};
let isOver = false;
const [chosen, file] = values.hosts
  ? [hostWorkloads, "host-results.json"]
  : values.hot
    ? [hotWorkloads, "hot-results.json"]
    : [workloads, "results.json"];
for (const [name, { measure, limit = {}, isQuick, isLong }] of Object.entries(chosen)) {
  if (values.quick && !isQuick) continue;
  if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
  const result = measure({ repeat: values.quick && isLong ? 1 : repeat });
  const over = Object.entries(limit).filter(([member, most]) => result[member] > most);
  isOver ||= over.length > 0;
  results[name] = { ...result, limit };
  const shown = Object.entries(result).map(([member, value]) => `${member} ${Number(value.toPrecision(3))}`);
  const targets = Object.entries(limit).map(([member, most]) => `${member} <= ${most}`);
  const verdict =
    targets.length === 0 ? "" : `  ${over.length > 0 ? "MISSED" : "met"}: ${targets.join(", ")}`;
  console.log(`${name.padEnd(38)} ${shown.join("  ")}${verdict}`);
}
writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
if (isOver) process.exitCode = 1;
