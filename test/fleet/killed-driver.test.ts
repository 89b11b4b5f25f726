import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createServicePostgres, explainRun, ServiceDb } from "treadle";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
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

const trail = () => join(workshop.folder, "trail");

function start(order: Omit<FleetOrder, "url" | "trail">): FleetProcess {
  const started = new FleetProcess(workshop.program, { ...order, url: database.url, trail: trail() });
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

it("work that a worker has finished while no process drove the run counts, and is not done again", async () => {
  await start({ role: "driver", runs: ["left"], crashAt: "after-commit" }).ended;
  const worker = start({ role: "worker" });
  const kept = () =>
    query(
      database.url,
      `SELECT p.body::json->'outcome'->>'kind' FROM _service_dispatch_reports p
        JOIN _service_dispatches d ON d.id = p.dispatch_id JOIN _service_runs r ON r.run_no = d.run_no
        WHERE r.run_id = 'left' AND p.body::json->>'type' = 'completed'`,
    );
  await expect.poll(kept).toEqual([["finished"]]);
  const next = start({ role: "driver", runs: ["left"], isResuming: true });
  expect(await next.line(({ runId }) => runId === "left")).toMatchObject({ status: "finished" });

  const effects = readFileSync(trail(), "utf8").split("\n");
  expect(effects.filter((line) => line.startsWith("left part-0"))).toEqual([`left part-0 1 ${worker.pid}`]);
  const log = `SELECT e.type, e.payload_json FROM _service_events e JOIN _service_runs r ON r.run_no = e.run_no
    WHERE r.run_id = 'left' AND e.type IN ('NodeInterrupted', 'NodeOutput') ORDER BY e.seq`;
  const said = (await query(database.url, log)).map(([type, json]) => [type, JSON.parse(String(json)).text]);
  expect(said).toEqual([["NodeOutput", "part 0 of one\n"]]);
});

/** What the attempts of a run have printed, in the order of its log, and `interrupted` where one was. */
async function saidIn(runId: string): Promise<string[]> {
  const log = `SELECT e.type, e.payload_json FROM _service_events e JOIN _service_runs r ON r.run_no = e.run_no
    WHERE r.run_id = '${runId}' AND e.type IN ('NodeInterrupted', 'NodeOutput') ORDER BY e.seq`;
  return (await query(database.url, log)).map(([type, json]) => {
    return type === "NodeOutput" ? (JSON.parse(String(json)) as { text: string }).text : "interrupted";
  });
}

/** Reports of a run's attempts that no commit has taken: the types of their events. */
async function untaken(runId: string): Promise<unknown[]> {
  const rows = await query(
    database.url,
    `SELECT p.body::json->'body'->>'type' FROM _service_dispatch_reports p
      JOIN _service_dispatches d ON d.id = p.dispatch_id JOIN _service_runs r ON r.run_no = d.run_no
      WHERE r.run_id = '${runId}' ORDER BY p.seq`,
  );
  return rows.map(([type]) => type);
}

const ONCE_EACH = ["part 0 of one\n", "interrupted", "part 0 of one\n"];

it("what a task has printed is in the log once, wherever its driver dies around the commit that takes it", async () => {
  const worker = start({ role: "worker" });
  const order = { role: "driver", isHeld: true } as const;
  // The first commit starts the attempt, the second one takes what the worker says first.
  await start({ ...order, runs: ["untaken"], crashAt: "before-commit:2" }).ended;
  await expect.poll(() => untaken("untaken")).toContain("NodeOutput");
  expect(await saidIn("untaken")).toEqual([]);
  const second = start({ ...order, runs: ["untaken"], isResuming: true });
  expect(await second.line(({ runId }) => runId === "untaken")).toMatchObject({ status: "finished" });
  expect(await saidIn("untaken")).toEqual(ONCE_EACH);

  const first = start({ ...order, runs: ["taken"] });
  await expect.poll(() => saidIn("taken")).toEqual(ONCE_EACH.slice(0, 1));
  await first.kill();
  expect(await untaken("taken")).toEqual([]);
  const next = start({ ...order, runs: ["taken"], isResuming: true });
  expect(await next.line(({ runId }) => runId === "taken")).toMatchObject({ status: "finished" });
  expect(await saidIn("taken")).toEqual(ONCE_EACH);
  await worker.kill();
});

it("a worker that drives runs takes up those of its own code, and `why` says of the others which code is missing", async () => {
  for (const code of ["old", "new"])
    await start({ role: "driver", runs: [code], code, crashAt: "after-commit" }).ended;
  const statusOf = async (runId: string) =>
    (await query(database.url, `SELECT status FROM _service_runs WHERE run_id = '${runId}'`))[0]?.[0];
  start({ role: "worker", code: "new", drive: true });
  await expect.poll(() => statusOf("new")).toBe("finished");
  expect(await statusOf("old")).toBe("running");

  const api = await createServicePostgres({ output: z.object({}) }, { connectionString: database.url });
  const { blockers } = await explainRun(new ServiceDb(api.db), "old");
  expect(blockers).toMatchObject([
    { kind: "owner", summary: expect.stringContaining("drives runs, but has other code") },
    { kind: "worker", nodeId: "part-0" },
  ]);
  await api.close();

  // The change is accepted by a driver that dies as well: from then on the run is one of the new code.
  const accepting = { isResuming: true, isAccepting: true, code: "new" };
  await start({ role: "driver", runs: ["old"], ...accepting, crashAt: "after-commit" }).ended;
  await expect.poll(() => statusOf("old")).toBe("finished");
});
