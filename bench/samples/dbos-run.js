import { createRequire } from "node:module";
import { join } from "node:path";
import { report, timed } from "./report.js";

// node bench/samples/dbos-run.js URL WORKLOAD FOLDER: as postgres-run.js, by the @dbos-inc/dbos-sdk that is installed in FOLDER.
const [url, workload, folder] = process.argv.slice(2);
const { DBOS } = createRequire(join(folder, "package.json"))("@dbos-inc/dbos-sdk");
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: url,
  systemDatabaseSchemaName: "dbos_bench",
  logLevel: "error",
});
const times = (count, body) => Promise.all(Array.from({ length: count }, body));
let onStep = () => {};

const sequence = DBOS.registerWorkflow(
  async (count) => {
    for (let n = 0; n < count; n += 1) {
      await DBOS.runStep(
        async () => {
          onStep(n);
          return { n };
        },
        { name: `task-${n}` },
      );
    }
  },
  { name: "sequence" },
);
const fanOut = DBOS.registerWorkflow(
  async (count) => {
    const rows = await Promise.all(
      Array.from({ length: count }, (_, n) => DBOS.runStep(async () => ({ n }), { name: `task-${n}` })),
    );
    return DBOS.runStep(async () => ({ total: rows.length }), { name: "join" });
  },
  { name: "fan-out" },
);
const loop = DBOS.registerWorkflow(
  async (count) => {
    for (let last = { n: 0 }; last.n < count; ) {
      const { n } = last;
      last = await DBOS.runStep(async () => ({ n: n + 1 }), { name: "round" });
    }
  },
  { name: "loop" },
);

const workloads = {
  sequence: () => sequence(1_000),
  "fan-out": () => fanOut(1_000),
  loop: () => loop(1_000),
  "many runs": () => times(100, () => sequence(5)),
};

const isRun = workload in workloads;
if (workload === "half") {
  // As a process that is killed: nothing of the run is said to be over.
  onStep = (n) => {
    if (n !== 500) return;
    report({});
    process.exit();
  };
}
const start = performance.now();
if (workload === "resume") {
  onStep = () => {
    report({ ms: performance.now() - start });
    process.exit();
  };
}
await DBOS.launch();
if (isRun) {
  await sequence(20);
  report(await timed(workloads[workload]));
  await DBOS.shutdown();
  process.exit();
} else if (workload === "half") await sequence(1_000);
