// Tries every property of test/security more often than the suite does, each time with other values:
// npm run fuzz -- [--runs 200000] [--seed N] [file …]. The seed is printed, so that a finding can be repeated.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "200000" }, seed: { type: "string" } },
  allowPositionals: true,
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`${values.runs} inputs per property, seed ${seed}\n`);

const root = fileURLToPath(new URL("..", import.meta.url));
const files = positionals.length > 0 ? positionals : ["test/security/properties"];
const vitest = `${root}node_modules/vitest/vitest.mjs`;
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "test/vitest.config.ts", "--testTimeout", "3600000", ...files],
  { cwd: root, stdio: "inherit", env: { ...process.env, RUNS: values.runs, PROPERTY_SEED: seed } },
);
process.exitCode = status ?? 1;
