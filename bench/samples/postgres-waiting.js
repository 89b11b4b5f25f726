import { approveNode, createService, runWorkflow, superviseRuns } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";
import { median } from "../measure.js";
import { report } from "./report.js";

// node bench/samples/postgres-waiting.js URL RUNS: how long a decision is on its way to the next task while RUNS runs wait.
const [url, count] = process.argv.slice(2);
process.env.SERVICE_DATABASE_URL = url;
const DECISIONS = 21;
const AT_ONCE = 100;

const { Workflow, Sequence, Approval, Task, outputs, service } = createService({
  decision: z.object({ approved: z.boolean(), decidedBy: z.string().nullable() }),
  row: z.object({ n: z.number() }),
});
const begun = new Map();
const workflow = service(() =>
  jsx(Workflow, {
    name: "waiting",
    children: jsx(Sequence, {
      children: [
        jsx(Approval, { id: "ok", request: { title: "Continue?" }, output: outputs.decision }, "ok"),
        jsx(
          Task,
          {
            id: "next",
            output: outputs.row,
            children: (_inputs, { runId }) => {
              begun.get(runId)?.();
              return { n: 1 };
            },
          },
          "next",
        ),
      ],
    }),
  }),
);

await runWorkflow(workflow, { runId: "run-0", input: {} });
let next = 1;
const fill = async () => {
  while (next < Number(count)) await runWorkflow(workflow, { runId: `run-${next++}`, input: {} });
};
await Promise.all(Array.from({ length: AT_ONCE }, fill));

const stop = new AbortController();
const supervised = superviseRuns({ waiting: workflow }, { signal: stop.signal });
const taken = [];
for (let decision = 0; decision < DECISIONS; decision += 1) {
  const runId = `run-${decision * 7}`;
  const began = new Promise((resolve) => begun.set(runId, resolve));
  const start = performance.now();
  await approveNode(workflow, { runId, nodeId: "ok", decidedBy: "bench" });
  await began;
  taken.push(performance.now() - start);
}
stop.abort();
await supervised;
report({ ms: median(taken), worstMs: Math.max(...taken) });
process.exit();
