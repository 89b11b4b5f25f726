import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { FleetProcess } from "../support/fleet/fleet-process.js";
import type { FleetOrder } from "../support/fleet/program.js";
import { query } from "../support/postgres/database.js";
import { PostgresServer } from "../support/postgres/server.js";

/** `npm run chaos` is the large one. */
const SIZE =
  process.env.TREADLE_CHAOS === "full"
    ? { runs: 50, tasks: 40, workers: 4, strikes: 120, everyMs: 300, stopMs: 12_000, restarts: 2 }
    : { runs: 3, tasks: 6, workers: 2, strikes: 5, everyMs: 300, stopMs: 1_000, restarts: 1 };

let workshop: Workshop;
let server: PostgresServer;
const processes = new Set<FleetProcess>();

beforeAll(async () => {
  [workshop, server] = await Promise.all([openWorkshop("../fleet/program.tsx"), PostgresServer.start()]);
});

afterAll(async () => {
  await Promise.all([...processes].map((each) => each.kill()));
  await server.remove();
  workshop.remove();
});

const runIds = Array.from({ length: SIZE.runs }, (_, index) => `run-${index}`);
const trail = () => join(workshop.folder, "trail");

function start(role: FleetOrder["role"]): FleetProcess {
  const order: FleetOrder = {
    role,
    url: server.url(),
    trail: trail(),
    runs: runIds,
    tasks: SIZE.tasks,
    taskMs: 20,
  };
  const started = new FleetProcess(workshop.program, order);
  processes.add(started);
  return started;
}

/** Kills or stops one process after the other, and starts another in its place; the server is restarted in between. */
async function strike(places: { role: FleetOrder["role"]; process: FleetProcess }[]): Promise<void> {
  const between = Math.floor(SIZE.strikes / (SIZE.restarts + 1));
  for (let count = 1; count <= SIZE.strikes; count += 1) {
    await pause(SIZE.everyMs);
    const place = places[(count * 7) % places.length] as (typeof places)[number];
    const struck = place.process;
    if (count % 3 === 0) {
      struck.child.kill("SIGSTOP");
      // It comes to itself when others have taken over, and may say what it likes for a moment.
      setTimeout(() => struck.child.kill("SIGCONT"), SIZE.stopMs);
      setTimeout(() => void struck.kill(), SIZE.stopMs + 1_000);
    } else await struck.kill();
    place.process = start(place.role);
    if (count % between === 0 && count / between <= SIZE.restarts) {
      await server.stop("immediate");
      await server.start();
    }
  }
}

const rows = (text: string) => query(server.url(), text).catch(() => []);

it("a fleet whose processes and server are killed ends as one that nothing has happened to", async () => {
  const places = [
    { role: "host" as const, process: start("host") },
    ...Array.from({ length: SIZE.workers }, () => ({ role: "worker" as const, process: start("worker") })),
  ];
  await Promise.all(places.map(({ process }) => process.line(({ ready }) => ready !== undefined)));
  await strike(places);

  const ended = () => rows("SELECT run_id FROM _service_runs WHERE status <> 'running'");
  await expect.poll(ended, { timeout: 280_000, interval: 200 }).toHaveLength(SIZE.runs);
  const failed = "SELECT run_id, error_json FROM _service_runs WHERE status <> 'finished'";
  expect(await query(server.url(), failed)).toEqual([]);
  const parts = Array.from({ length: SIZE.tasks }, (_, index) => `${index} by one`).sort();
  const whole = await rows("SELECT parts FROM whole");
  expect(whole.map(([text]) => JSON.parse(text as string) as unknown)).toEqual(runIds.map(() => parts));

  // An attempt has one effect at most, and none follows the one that has finished.
  const effects = readFileSync(trail(), "utf8").trim().split("\n");
  const attempts = effects.map((line) => line.split(" ").slice(0, 3).join(" "));
  expect(new Set(attempts).size).toBe(attempts.length);
  expect(
    await rows(`SELECT a.node_id FROM _service_attempts a JOIN _service_attempts b USING (run_no, node_id, iteration)
      WHERE a.state = 'finished' AND b.attempt > a.attempt`),
  ).toEqual([]);
  // What an attempt has printed, one line, is in the log once: of each that has finished, whoever drove its run meanwhile.
  const isItsLine = `e.type = 'NodeOutput' AND e.run_no = a.run_no AND e.node_id = a.node_id
    AND e.iteration = a.iteration AND e.attempt = a.attempt`;
  expect(
    await query(
      server.url(),
      `SELECT a.run_no, a.node_id, a.attempt, count(e.seq) FROM _service_attempts a
        LEFT JOIN _service_events e ON ${isItsLine}
        WHERE a.node_id LIKE 'part-%' GROUP BY a.run_no, a.node_id, a.iteration, a.attempt, a.state
        HAVING count(e.seq) > 1 OR (a.state = 'finished' AND count(e.seq) = 0)`,
    ),
  ).toEqual([]);
  await expect.poll(() => rows("SELECT id FROM _service_dispatches"), { interval: 200 }).toEqual([]);
  await expect.poll(() => rows("SELECT id FROM treadle_jobs.jobs"), { interval: 200 }).toEqual([]);
});
