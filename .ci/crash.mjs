// Kills processes at every commit of a run, and at every named point, on one store or on all three:
// npm run crash -- [--store sqlite|postgres|pglite]. Takes minutes; the last lines say how many were killed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { store: { type: "string", default: "all" } } });
if (!["all", "sqlite", "postgres", "pglite"].includes(values.store)) {
  throw new Error(`--store is sqlite, postgres or pglite, not ${values.store}.`);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "test/vitest.config.ts", "--testTimeout", "3600000", "test/crash/stores"],
  { cwd: root, stdio: "inherit", env: { ...process.env, TREADLE_CRASH: values.store } },
);
process.exitCode = status ?? 1;
