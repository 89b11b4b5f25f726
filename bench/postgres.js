import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { median, sample } from "./measure.js";

// npm run build && node bench/postgres.js postgres://… [--repeat N] [--waiting RUNS] [--no-dbos]: beside raw writes by the same
// client, and beside @dbos-inc/dbos-sdk, which is installed into a temporary folder. Its schemas on the server are made anew.
const { values, positionals } = parseArgs({
  options: {
    repeat: { type: "string", default: "5" },
    waiting: { type: "string", default: "10000" },
    "no-dbos": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [server] = positionals;
if (server === undefined) throw new Error("Name a server: node bench/postgres.js postgres://…");
const url = new URL(server);
url.searchParams.set("options", "-c search_path=treadle_bench");
const DBOS = "@dbos-inc/dbos-sdk@5.3.0";
const FLOOR_LIMIT = 2.5;
const WAITING_LIMIT_MS = 100;
/** Runs in the same process before the one that is measured, as a worker or a gateway has had. */
const WARM_RUNS = 5;

const folder = mkdtempSync(join(tmpdir(), "treadle-bench-dbos-"));
try {
  const treadle = (...args) => sample("postgres-run", url.href, ...args);
  const dbos = (...args) => sample("dbos-run", server, ...args, folder);
  if (!values["no-dbos"]) install();
  await beside(
    "raw writes: sequence",
    `<= ${FLOOR_LIMIT}`,
    () => treadle("sequence"),
    () => sample("postgres-floor", url.href, 1_000),
  );
  await beside(
    "raw writes: sequence, warm",
    `<= ${FLOOR_LIMIT}`,
    () => treadle("sequence", WARM_RUNS),
    () => sample("postgres-floor", url.href, 1_000, WARM_RUNS),
  );
  for (const workload of values["no-dbos"] ? [] : ["sequence", "fan-out", "loop", "many runs"]) {
    await beside(
      `DBOS: ${workload}`,
      "< 1",
      () => treadle(workload),
      () => dbos(workload),
    );
  }
  const resumed = (side) => () => {
    side("half");
    return side("resume");
  };
  if (!values["no-dbos"])
    await beside("DBOS: first task of a resume", "< 1", resumed(treadle), resumed(dbos));
  if (Number(values.waiting) > 0) {
    await anew();
    const { ms, worstMs } = sample("postgres-waiting", url.href, values.waiting);
    print(
      `${values.waiting} runs wait, decision to next task`,
      `${ms.toFixed(1)} ms, worst ${worstMs.toFixed(1)} ms`,
      `< ${WAITING_LIMIT_MS} ms`,
    );
  }
} finally {
  await anew();
  rmSync(folder, { recursive: true });
}

function install() {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
  execFileSync("npm", ["install", ...options, DBOS], { cwd: folder, stdio: "inherit" });
}

/** Ours and the other in turn, each on empty schemas: the median of the paired ratios. */
async function beside(name, target, ours, other) {
  const taken = [];
  for (let time = 0; time < Number(values.repeat); time += 1) {
    await anew();
    const raw = other();
    await anew();
    taken.push({ own: ours().ms, other: raw.ms });
  }
  const ratio = median(taken.map((pair) => pair.own / pair.other));
  const [own, theirs] = [median(taken.map((pair) => pair.own)), median(taken.map((pair) => pair.other))];
  print(name, `ratio ${ratio.toFixed(2)}  (${own.toFixed(0)} ms to ${theirs.toFixed(0)} ms)`, target);
}

function print(name, result, target) {
  console.log(`${name.padEnd(42)} ${result}  target ${target}`);
}

async function anew() {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(
    "DROP SCHEMA IF EXISTS treadle_bench CASCADE; DROP SCHEMA IF EXISTS dbos_bench CASCADE; CREATE SCHEMA treadle_bench",
  );
  await client.end();
}
