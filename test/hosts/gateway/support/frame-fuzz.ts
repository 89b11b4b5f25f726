import { WebSocket } from "ws";

const HELLO = {
  type: "req",
  id: "hello",
  method: "connect",
  params: { minProtocol: 1, maxProtocol: 1, client: { id: "fuzz", version: "1" } },
};

/** Numbers from 0 to below 1, the same for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 4_294_967_296;
  };
}

export interface FuzzReport {
  frames: number;
  connections: number;
  answers: number;
  /** Answers that say that something failed on the side of the gateway. */
  failures: string[];
  closes: Record<number, number>;
}

export interface FuzzOptions {
  url: string;
  frames: number;
  seed: number;
  /** Names of methods, some of which will be asked for. */
  methods: readonly string[];
  token?: string;
}

/** Sends frames of every kind that a gateway should not be sent, over as many connections as that takes. */
export async function fuzzFrames({ url, frames, seed, methods, token }: FuzzOptions): Promise<FuzzReport> {
  const chance = chanceOf(seed);
  const report: FuzzReport = { frames: 0, connections: 0, answers: 0, failures: [], closes: {} };
  while (report.frames < frames) {
    report.connections += 1;
    await oneConnection(url, { chance, methods, report, frames, token, connects: chance() < 0.9 });
  }
  return report;
}

interface ConnectionPlan {
  chance: () => number;
  methods: readonly string[];
  report: FuzzReport;
  frames: number;
  token: string | undefined;
  connects: boolean;
}

function oneConnection(url: string, plan: ConnectionPlan): Promise<void> {
  const { chance, methods, report, frames, token, connects } = plan;
  const socket = new WebSocket(url.replace("http", "ws"));
  const hello = token === undefined ? HELLO : { ...HELLO, params: { ...HELLO.params, auth: { token } } };
  const last = report.frames + 1 + Math.floor(chance() * 200);
  return new Promise((resolve) => {
    const send = () => {
      // A few at a time, so that what is answered is read.
      for (let burst = 0; burst < 25 && report.frames < Math.min(last, frames); burst += 1) {
        if (socket.readyState !== WebSocket.OPEN) return;
        report.frames += 1;
        socket.send(oddFrame(chance, methods));
      }
      if (report.frames >= Math.min(last, frames)) return socket.close();
      setImmediate(send);
    };
    socket.on("open", () => {
      if (connects) socket.send(JSON.stringify(hello));
      send();
    });
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      report.closes[code] = (report.closes[code] ?? 0) + 1;
      resolve();
    });
    socket.on("message", (data) => {
      report.answers += 1;
      const text = String(data);
      if (text.includes('"INTERNAL_ERROR"')) report.failures.push(text.slice(0, 500));
    });
  });
}

type Chance = () => number;

function oddFrame(chance: Chance, methods: readonly string[]): string | Buffer {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T;
  const request = () => ({
    type: "req",
    id: pick(["a", "b", "", "x".repeat(200), String(chance()), 7, null, {}]),
    method: pick([...methods, "nothing", "__proto__", "constructor", "", 7, null, "x".repeat(5_000)]),
    params: oddValue(chance, 0),
  });
  const kind = chance();
  if (kind < 0.55) return JSON.stringify({ ...request(), id: `i${chance()}` });
  if (kind < 0.7) return JSON.stringify(request());
  if (kind < 0.8) {
    const text = JSON.stringify(request());
    return text.slice(0, Math.floor(chance() * text.length));
  }
  if (kind < 0.85) return JSON.stringify(oddValue(chance, 0)) ?? "";
  if (kind < 0.9) return "[".repeat(Math.floor(chance() * 50_000));
  if (kind < 0.95)
    return `{"type":"req","id":"d","method":"getRun","params":${"[".repeat(2_000)}${"]".repeat(2_000)}}`;
  if (kind < 0.97) return JSON.stringify({ ...HELLO, params: oddValue(chance, 0) });
  if (kind < 0.975) return Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  if (kind < 0.978) return "x".repeat(2_000_000);
  return String.fromCharCode(...Array.from({ length: 20 }, () => Math.floor(chance() * 0xffff)));
}

const NAMES = [
  "runId",
  "nodeId",
  "afterSeq",
  "streamId",
  "workflow",
  "input",
  "limit",
  "cursor",
  "signal",
  "data",
  "__proto__",
];

function oddValue(chance: Chance, depth: number): unknown {
  const kind = chance();
  if (kind < 0.5 && depth < 4) {
    const count = Math.floor(chance() * 4);
    const names = Array.from({ length: count }, () => NAMES[Math.floor(chance() * NAMES.length)] as string);
    return Object.fromEntries(names.map((name) => [name, oddValue(chance, depth + 1)]));
  }
  if (kind < 0.6 && depth < 4)
    return Array.from({ length: Math.floor(chance() * 4) }, () => oddValue(chance, depth + 1));
  const all = [
    "one",
    "",
    "../../etc/passwd",
    "\u0000",
    "\ud800",
    "x".repeat(1_000),
    -1,
    0,
    1e308,
    1.5,
    true,
    null,
    "1; DROP TABLE",
  ];
  return all[Math.floor(chance() * all.length)];
}
