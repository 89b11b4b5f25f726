import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { FleetProcess } from "../support/fleet/fleet-process.js";
import type { FleetOrder } from "../support/fleet/program.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../support/postgres/database.js";

let workshop: Workshop;
let database: PostgresDatabase;
let processes: FleetProcess[] = [];

beforeAll(async () => {
  [workshop, database] = await Promise.all([openWorkshop("../fleet/program.tsx"), createPostgresDatabase()]);
});

afterEach(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  processes = [];
});

afterAll(async () => {
  workshop.remove();
  await database.remove();
});

function start(order: Pick<FleetOrder, "role" | "runs" | "crashAt" | "machine">): FleetProcess {
  const trail = join(workshop.folder, "trail");
  const started = new FleetProcess(workshop.program, { ...order, url: database.url, trail });
  processes.push(started);
  return started;
}

/** Claims of a run so far, and the process that has it now. */
async function claims(runId: string): Promise<{ epoch: number; pid: number } | undefined> {
  const rows = await query(
    database.url,
    `SELECT epoch, split_part(owner_id, '/', 2) FROM _service_runs WHERE run_id = '${runId}'`,
  );
  return rows[0] && { epoch: Number(rows[0][0]), pid: Number(rows[0][1]) };
}

const HOURS_MS = 5 * 3_600_000;

it("machines whose clocks are hours ahead or behind take no run from a living process, and lose none to one", async () => {
  const machines = {
    right: { name: "right", clockAheadMs: 0 },
    ahead: { name: "ahead", clockAheadMs: HOURS_MS },
    behind: { name: "behind", clockAheadMs: -HOURS_MS },
  };
  const [right, ahead, behind] = Object.values(machines).map((machine) => start({ role: "host", machine }));
  const hosts = { right, ahead, behind };
  for (const host of Object.values(hosts)) await host?.line((line) => "ready" in line);
  const taken: Record<string, unknown> = {};
  // Each host takes up a run whose process has died on its own machine, and looks at all older ones on the way.
  for (const [runId, on] of [
    ["first", "right"],
    ["second", "ahead"],
    ["third", "behind"],
    ["last", "right"],
  ] as const) {
    await start({ role: "driver", runs: [runId], crashAt: "after-commit", machine: machines[on] }).ended;
    taken[runId] = { epoch: 2, pid: hosts[on]?.pid };
    await expect.poll(() => claims(runId)).toEqual(taken[runId]);
  }
  for (const [runId, claim] of Object.entries(taken)) expect(await claims(runId)).toEqual(claim);
});
