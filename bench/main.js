import { writeFileSync } from "node:fs";
import { workloads } from "./workloads.js";

const only = process.argv.slice(2);
const results = {};
const over = [];
for (const [name, { run, target }] of Object.entries(workloads)) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
  const result = await run();
  results[name] = { ...result, ...(target === undefined ? {} : { target }) };
  const shown = Object.entries(result)
    .map(([key, value]) => `${key} ${typeof value === "number" ? Number(value.toFixed(3)) : value}`)
    .join("  ");
  const verdict =
    target === undefined ? "" : result.ratio <= target ? `  (target ${target})` : `  OVER TARGET ${target}`;
  if (target !== undefined && result.ratio > target) over.push(name);
  console.log(`${name.padEnd(34)} ${shown}${verdict}`);
}
writeFileSync(new URL("results.json", import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
if (over.length > 0) process.exitCode = 1;
