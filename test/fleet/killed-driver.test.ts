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

function start(order: Omit<FleetOrder, "url" | "trail">): FleetProcess {
  const trail = join(workshop.folder, "trail");
  const started = new FleetProcess(workshop.program, { ...order, url: database.url, trail });
  processes.push(started);
  return started;
}

/** Attempts that have begun, dispatches and jobs of a run; each job has the key of its dispatch. */
async function rowsOf(runId: string): Promise<number[]> {
  const schema = new URL(database.url).searchParams.get("options")?.split("=")[1];
  const counts = await query(
    database.url,
    `SELECT (SELECT count(*) FROM _service_attempts a WHERE a.run_no = r.run_no),
        count(d.id), count(j.id)
      FROM _service_runs r
      LEFT JOIN _service_dispatches d ON d.run_no = r.run_no
      LEFT JOIN treadle_jobs_${schema}.jobs j ON j.id = d.job_id AND j.key = d.id
      WHERE r.run_id = '${runId}' GROUP BY r.run_no`,
  );
  return (counts[0] ?? []).map(Number);
}

it("no attempt is started without its job, and no job is there without its attempt, wherever the driver dies", async () => {
  await start({ role: "driver", runs: ["before"], crashAt: "before-commit" }).ended;
  expect(await rowsOf("before")).toEqual([0, 0, 0]);
  await start({ role: "driver", runs: ["after"], crashAt: "after-commit" }).ended;
  expect(await rowsOf("after")).toEqual([1, 1, 1]);
});
