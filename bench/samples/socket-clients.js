import { once } from "node:events";
import { dirname } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ServiceDb } from "treadle";
import { Gateway } from "treadle/gateway";
import { WebSocket, WebSocketServer } from "ws";
import { scratch } from "../scratch.js";
import { slowly } from "../workflows.js";

// node bench/samples/socket-clients.js CLIENTS [bare]: from a commit to each of many WebSocket clients, which have a thread of
// their own; or, bare, from the moment a server without anything else sends them frames of that size, as many and as often.
const TASKS = 100;
// Both threads count from the same moment.
const nowMs = () => performance.timeOrigin + performance.now();

const [clientCount, kind] = process.argv.slice(2);
if (isMainThread) await (kind === "bare" ? measureBare : measure)(Number(clientCount));
else await follow(workerData);

async function measure(clients) {
  const folder = scratch();
  const workflow = slowly(TASKS, folder.path);
  const { store } = new ServiceDb(workflow.db);
  const gateway = new Gateway({ workspaceRoot: dirname(folder.path) }).register("slowly", workflow);
  const url = `http://127.0.0.1:${(await gateway.listen({ port: 0 })).address().port}`;
  const committed = new Map();
  let known = 0;
  store.onChange(() => {
    const { nextSeq } = store.getRun("run") ?? { nextSeq: 0 };
    for (; known < nextSeq; known += 1) committed.set(known, nowMs());
  });
  const clientsOf = await openClients(url, clients);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ workflow: "slowly", runId: "run", input: {} });
  await fetch(`${url}/v1/rpc/launchRun`, { method: "POST", headers, body });
  report(await clientsOf.heard(), committed);
}

async function measureBare(clients) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  server.on("connection", (socket) => socket.once("message", () => socket.send("{}")));
  const clientsOf = await openClients(`http://127.0.0.1:${server.address().port}`, clients);
  const sent = new Map();
  const heard = clientsOf.heard();
  const send = (frame) => {
    for (const client of server.clients) client.send(JSON.stringify(frame));
  };
  for (let seq = 0; seq < TASKS; seq += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    sent.set(seq, nowMs());
    // What a commit of this run says: a task has finished, a frame, a task has started.
    const event = { nodeId: `t${seq}`, iteration: 0, attempt: 1, runId: "run", timestampMs: Date.now() };
    for (const type of ["NodeFinished", "FrameCommitted", "NodeStarted"]) {
      send({
        type: "event",
        event: "run.event",
        seq,
        payload: { streamId: "s1", runId: "run", event: { type, ...event } },
      });
    }
  }
  send({ type: "event", event: "run.end" });
  report(await heard, sent);
}

async function openClients(url, clients) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, clients } });
  await once(worker, "message");
  return {
    heard() {
      worker.postMessage("go");
      const all = [];
      let left = clients;
      return new Promise((resolve) => {
        worker.on("message", (times) => {
          all.push(...times);
          left -= 1;
          if (left === 0) resolve(all);
        });
      });
    },
  };
}

function report(heard, sentAtMs) {
  const latencies = heard.map(({ seq, atMs }) => atMs - sentAtMs.get(seq)).toSorted((a, b) => a - b);
  const at = (share) => latencies[Math.floor(latencies.length * share)];
  console.log(JSON.stringify({ ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }));
  process.exit(0);
}

async function follow({ url, clients }) {
  const sockets = await Promise.all(Array.from({ length: clients }, () => connect(url)));
  const started = once(parentPort, "message");
  parentPort.postMessage("connected");
  await started;
  for (const socket of sockets) note(socket);
}

async function connect(url) {
  const socket = new WebSocket(url.replace("http", "ws"));
  await once(socket, "open");
  ask(socket, "connect", { minProtocol: 1, maxProtocol: 1, client: { id: "bench", version: "1" } });
  await once(socket, "message");
  return socket;
}

function note(socket) {
  const times = [];
  socket.on("message", (data) => {
    const atMs = nowMs();
    const { event, seq, payload } = JSON.parse(String(data));
    if (event === "run.event" && payload.event.type === "NodeFinished") times.push({ seq, atMs });
    // What was there before a client asked for it is read, not pushed.
    if (event === "run.end") parentPort.postMessage(times.slice(TASKS / 4));
  });
  ask(socket, "streamRunEvents", { runId: "run", afterSeq: 10 });
}

function ask(socket, method, params) {
  socket.send(JSON.stringify({ type: "req", id: method, method, params }));
}
