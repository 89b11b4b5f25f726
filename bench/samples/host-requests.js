import { once } from "node:events";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { runWorkflow } from "treadle";
import { Gateway } from "treadle/gateway";
import { median } from "../measure.js";
import { scratch } from "../scratch.js";
import { sequence } from "../workflows.js";

// node bench/samples/host-requests.js health|getRun: requests to a gateway, against a bare server that answers the same bytes.
const folder = scratch();
const workflow = sequence(5, folder.path);
const { runId } = await runWorkflow(workflow, { input: {} });
const gateway = new Gateway({ workspaceRoot: dirname(folder.path) }).register("sequence", workflow);
const urlOf = (server) => `http://127.0.0.1:${server.address().port}`;
const ours = urlOf(await gateway.listen({ port: 0 }));
const asked = {
  health: { path: "/health", method: "GET" },
  getRun: { path: "/v1/rpc/getRun", method: "POST", body: JSON.stringify({ runId }) },
}[process.argv[2]];
const headers = asked.body === undefined ? {} : { "content-type": "application/json" };
const answer = await fetch(ours + asked.path, { method: asked.method, headers, body: asked.body });
const bytes = new Uint8Array(await answer.arrayBuffer());

const app = new Hono();
app.all("*", async (c) => {
  await c.req.arrayBuffer();
  return c.body(bytes, 200, { "Content-Type": "application/json" });
});
const bare = createAdaptorServer({ fetch: app.fetch });
bare.listen(0, "127.0.0.1");
await once(bare, "listening");

const COUNT = 3_000;
async function load(url) {
  const workerData = { ...asked, url: url + asked.path, count: COUNT };
  const worker = new Worker(new URL("load.js", import.meta.url), { workerData });
  const [ms] = await once(worker, "message");
  return ms;
}

await load(ours);
await load(urlOf(bare));
const taken = [];
for (let round = 0; round < 5; round += 1)
  taken.push({ bare: await load(urlOf(bare)), ours: await load(ours) });
console.log(
  JSON.stringify({
    ratio: median(taken.map((each) => each.ours / each.bare)),
    perSecond: COUNT / (median(taken.map((each) => each.ours)) / 1_000),
    barePerSecond: COUNT / (median(taken.map((each) => each.bare)) / 1_000),
  }),
);
bare.close();
await gateway.close();
folder.dispose();
process.exit(0);
