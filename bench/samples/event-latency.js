import { once } from "node:events";
import { dirname } from "node:path";
import { EventSource } from "eventsource";
import { ServiceDb, startServer } from "treadle";
import { Gateway } from "treadle/gateway";
import { WebSocket } from "ws";
import { median } from "../measure.js";
import { scratch } from "../scratch.js";
import { slowly } from "../workflows.js";

// node bench/samples/event-latency.js: from a commit to a client of the gateway, and to one of a server's event stream.
const folder = scratch();
const workflow = slowly(200, folder.path);
const { store } = new ServiceDb(workflow.db);
const gateway = new Gateway({ workspaceRoot: dirname(folder.path) }).register("slowly", workflow);
const url = `http://127.0.0.1:${(await gateway.listen({ port: 0 })).address().port}`;
const server = startServer({ port: 0, db: workflow.db });
await once(server, "listening");

const committed = new Map();
let known = 0;
store.onChange(() => {
  const { nextSeq } = store.getRun("run") ?? { nextSeq: 0 };
  for (; known < nextSeq; known += 1) committed.set(known, performance.now());
});
const latencies = { socket: [], events: [] };
const took = (of, seq) => latencies[of].push(performance.now() - committed.get(seq));

const headers = { "content-type": "application/json" };
const body = JSON.stringify({ workflow: "slowly", runId: "run", input: {} });
await fetch(`${url}/v1/rpc/launchRun`, { method: "POST", headers, body });
const socket = new WebSocket(url.replace("http", "ws"));
const ask = (method, params) => socket.send(JSON.stringify({ type: "req", id: method, method, params }));
socket.on("open", () =>
  ask("connect", { minProtocol: 1, maxProtocol: 1, client: { id: "bench", version: "1" } }),
);
const source = new EventSource(`http://127.0.0.1:${server.address().port}/v1/runs/run/events?afterSeq=10`);
source.addEventListener("NodeFinished", ({ lastEventId }) => took("events", Number(lastEventId)));
await new Promise((resolve) => {
  socket.on("message", (data) => {
    const { id, event, seq, payload } = JSON.parse(String(data));
    if (id === "connect") ask("streamRunEvents", { runId: "run", afterSeq: 10 });
    if (event === "run.event" && payload.event.type === "NodeFinished") took("socket", seq);
    if (event === "run.end") resolve();
  });
});
const odd = (values) => (values.length % 2 === 0 ? values.slice(1) : values);
const high = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
console.log(
  JSON.stringify({
    socketMs: median(odd(latencies.socket)),
    socketP95Ms: high(latencies.socket),
    eventsMs: median(odd(latencies.events)),
    eventsP95Ms: high(latencies.events),
  }),
);
source.close();
process.exit(0);
