import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { openCrowd } from "../hosts/gateway/support/chatter.js";
import { seedFromEnvironment } from "../support/crash/random.js";

/**
 * Run by hand, not by `npm test`: clients of a gateway and a server follow runs, break off at random and
 * come back; one client asks for very much and reads nothing. Checks what each of them got against the
 * database, and prints figures.
 *
 *   ROUNDS=3 RUNS=100 SOCKETS=500 EVENT_STREAMS=50 npx vitest run --config test/soak/vitest.config.ts gateway-streams
 */
const count = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const ROUNDS = count("ROUNDS", 3);
/** Bytes of the heap that may be more after the last round than after the first. */
const MOST_GROWTH = 16 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const seed = seedFromEnvironment();

it(`clients of a gateway get every event of the runs that they follow (CRASH_SEED=${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-soak-"));
  const crowd = await openCrowd({
    folder,
    runs: count("RUNS", 100),
    sockets: count("SOCKETS", 500),
    eventStreams: count("EVENT_STREAMS", 50),
    tasks: count("TASKS", 20),
    taskMs: 20,
    seed,
  });
  try {
    const stuck = new WebSocket(crowd.url.replace("http", "ws"));
    const dropped = new Promise<number>((resolve) => stuck.once("close", resolve));
    stuck.once("open", () => {
      const client = { minProtocol: 1, maxProtocol: 1, client: { id: "stuck", version: "1" } };
      stuck.send(JSON.stringify({ type: "req", id: "1", method: "connect", params: client }));
      stuck.once("message", () => {
        stuck.send(JSON.stringify({ type: "req", id: "2", method: "ext.crowd.flood" }));
        stuck.pause();
      });
    });
    const heaps: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = Date.now();
      const { wrong, connections, events } = await crowd.round(`round${round}`);
      heaps.push(heapBytes());
      const figures = { round, wrong: wrong.length, connections, events, ms: Date.now() - begun };
      const megabytes = { heap: heaps.at(-1), rss: process.memoryUsage().rss };
      process.stdout.write(`${JSON.stringify({ ...figures, ...megabytes })}\n`);
      expect(wrong).toEqual([]);
    }
    stuck.resume();
    const code = await dropped;
    process.stdout.write(`${JSON.stringify({ "the client that reads nothing": code })}\n`);
    expect([1006, 1013]).toContain(code);
    expect((heaps.at(-1) as number) - (heaps[0] as number)).toBeLessThan(MOST_GROWTH);
  } finally {
    await crowd.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
