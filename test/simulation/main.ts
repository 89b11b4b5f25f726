import { parseArgs } from "node:util";
import { STORES } from "./open-store.js";
import { Simulation } from "./simulate.js";

/** `npm run simulate -- --seeds N [--store sqlite|postgres|pglite] [--from S] [--exhaustive] [--most-failures M]` */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    store: { type: "string", default: "sqlite" },
    from: { type: "string", default: "1" },
    exhaustive: { type: "boolean", default: false },
    "most-failures": { type: "string", default: "5" },
  },
});

// As in the suite: git would take most of the time.
process.env["SERVICE_RECORD_VCS"] ??= "0";

const from = Number(values.from);
const until = from + Number(values.seeds);
const store = STORES.find((name) => name === values.store);
if (store === undefined) throw new Error(`--store is one of ${STORES.join(", ")}.`);
const simulation = new Simulation(store);
const startedAt = performance.now();
const totals = { runs: 0, racy: 0, failures: 0, seeds: 0 };

for (let seed = from; seed < until && totals.failures < Number(values["most-failures"]); seed += 1) {
  const report = await simulation.seed(seed, { exhaustive: values.exhaustive });
  totals.seeds += 1;
  totals.runs += report.runs;
  if (report.isRacy) totals.racy += 1;
  if (report.problems.length === 0) continue;
  totals.failures += 1;
  console.log(report.problems.join("\n"));
}

await simulation.close();
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage();
const perSecond = (totals.seeds / ((user + system) / 1e6)).toFixed(1);
console.log(
  `${store}: ${totals.seeds} seeds, ${totals.runs} runs (${totals.racy} seeds with racing failures) in ${seconds.toFixed(1)} s, ${perSecond} per second of processor time; ${totals.failures} failed.`,
);
process.exitCode = totals.failures === 0 ? 0 : 1;
