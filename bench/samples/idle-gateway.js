import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createService, runWorkflow } from "treadle";
import { Gateway } from "treadle/gateway";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";
import { scratch } from "../scratch.js";

// node bench/samples/idle-gateway.js RUNS: how much of a core a gateway takes while so many runs wait and nobody asks for anything.
const count = Number(process.argv[2]);
const AT_ONCE = 50;
/** It rests a minute after the last change. */
const SETTLE_MS = 70_000;
const MEASURED_MS = 20_000;

const folder = scratch();
const schemas = { decision: z.object({ approved: z.boolean() }) };
const { Workflow, Approval, outputs, service } = createService(schemas, { dbPath: folder.path });
const approval = jsx(Approval, { id: "ok", request: { title: "Continue?" }, output: outputs.decision });
const workflow = service(() => jsx(Workflow, { name: "waiting", children: approval }));
let begun = 0;
const fill = async () => {
  while (begun < count) {
    begun += 1;
    await runWorkflow(workflow, { input: {} });
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, fill));

const gateway = new Gateway({ workspaceRoot: dirname(folder.path) }).register("waiting", workflow);
await gateway.listen({ port: 0 });
await pause(SETTLE_MS);
const [start, before] = [performance.now(), process.cpuUsage()];
await pause(MEASURED_MS);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ percent: (user + system) / 10 / (performance.now() - start) }));
await gateway.close();
folder.dispose();
process.exit(0);
