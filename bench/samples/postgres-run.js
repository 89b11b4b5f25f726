import { ServiceError, runWorkflow } from "treadle";
import { fanOut, finish, loop, sequence } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/postgres-run.js URL WORKLOAD [BEFORE]: from the call to its end, on a server that is connected to and has
// its tables; after so many of the same in this process.
const [url, workload, before = "0"] = process.argv.slice(2);
process.env.SERVICE_DATABASE_URL = url;
const times = (count, body) => Promise.all(Array.from({ length: count }, body));

const workloads = {
  sequence: () => finish(sequence(1_000)),
  "fan-out": () => finish(fanOut(1_000, undefined, 64)),
  loop: () => finish(loop(1_000)),
  "many runs": () => {
    const workflow = sequence(5);
    return times(100, () => finish(workflow));
  },
};

if (workload === "half") {
  const stop = new AbortController();
  let done = 0;
  await runWorkflow(sequence(1_000), {
    runId: "half",
    input: {},
    signal: stop.signal,
    onProgress({ type }) {
      if (type !== "NodeFinished" || ++done !== 500) return;
      stop.abort(new ServiceError("PROCESS_ABORTED", "half is enough"));
    },
  });
  report({});
} else if (workload === "resume") {
  const start = performance.now();
  const workflow = sequence(1_000, undefined, () => {
    report({ ms: performance.now() - start });
    process.exit();
  });
  await runWorkflow(workflow, { runId: "half", resume: true });
} else {
  await finish(sequence(20));
  for (let count = 0; count < Number(before); count += 1) await workloads[workload]();
  report(await timed(workloads[workload]));
}
