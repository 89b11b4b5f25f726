import { dirname } from "node:path";
import { Gateway } from "treadle/gateway";
import { median } from "../measure.js";
import { scratch } from "../scratch.js";
import { sequence } from "../workflows.js";

// node bench/samples/launch.js: from the request that launches a run to its first task.
const folder = scratch();
let hear = () => {};
const workflow = sequence(1, folder.path, () => hear());
const gateway = new Gateway({ workspaceRoot: dirname(folder.path) }).register("one", workflow);
const url = `http://127.0.0.1:${(await gateway.listen({ port: 0 })).address().port}/v1/rpc/launchRun`;
const headers = { "content-type": "application/json" };
const taken = [];
for (let count = 0; count < 55; count += 1) {
  const begun = performance.now();
  const first = new Promise((resolve) => {
    hear = () => resolve(performance.now() - begun);
  });
  const body = JSON.stringify({ workflow: "one", input: {} });
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  taken.push(await first);
}
// The first ones load what they need.
console.log(JSON.stringify({ ms: median(taken.slice(4)) }));
await gateway.close();
folder.dispose();
process.exit(0);
