import { existsSync, readFileSync } from "node:fs";
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

const trail = () => join(workshop.folder, "trail");

function start(order: Omit<FleetOrder, "url" | "trail">): FleetProcess {
  const started = new FleetProcess(workshop.program, { ...order, url: database.url, trail: trail() });
  processes.push(started);
  return started;
}

/** `node attempt process` of every attempt that has begun. */
function effectsOf(runId: string): string[] {
  const lines = existsSync(trail()) ? readFileSync(trail(), "utf8").trim().split("\n") : [];
  return lines.filter((line) => line.startsWith(`${runId} `)).map((line) => line.slice(runId.length + 1));
}

async function outcomeOf(driver: FleetProcess, id: string) {
  const ended = driver.line(({ runId }) => runId === id);
  const { status, error } = await Promise.race([ended, ...processes.map((each) => each.failure())]);
  return { status, error };
}

it("a task with a queue is executed by a worker of that queue; row, output and place come back", async () => {
  const worker = start({ role: "worker" });
  const driver = start({ role: "driver", runs: ["one"], tasks: 2 });
  expect(await outcomeOf(driver, "one")).toEqual({ status: "finished" });
  expect(effectsOf("one").sort()).toEqual([`part-0 1 ${worker.pid}`, `part-1 1 ${worker.pid}`]);
  expect(await query(database.url, "SELECT parts FROM whole WHERE run_id = 'one'")).toEqual([
    ['["0 by one","1 by one"]'],
  ]);
  const attempts = await query(database.url, "SELECT DISTINCT queue, owner_id FROM _service_attempts");
  expect(attempts).toEqual([["large", expect.stringContaining(`/${worker.pid}/`)]]);
  const said = await query(
    database.url,
    "SELECT payload_json FROM _service_events WHERE type = 'NodeOutput' ORDER BY seq",
  );
  expect(said.map(([json]) => (JSON.parse(json as string) as { text: string }).text).sort()).toEqual([
    "part 0 of one\n",
    "part 1 of one\n",
  ]);
});

/** Whether the worker has said that it is there. */
async function isKnown({ pid }: FleetProcess): Promise<boolean> {
  const ids = await query(database.url, "SELECT id FROM _service_workers").catch(() => []);
  return ids.some(([id]) => String(id).includes(`/${pid}/`));
}

it("tasks of the queue default are executed in place where no other process serves it, else by a worker", async () => {
  const alone = start({ role: "driver", runs: ["in-place"], queue: "default" });
  expect(await outcomeOf(alone, "in-place")).toEqual({ status: "finished" });
  expect(effectsOf("in-place")).toEqual([`part-0 1 ${alone.pid}`]);
  const worker = start({ role: "worker", queue: "default" });
  await expect.poll(() => isKnown(worker)).toBe(true);
  const helped = start({ role: "driver", runs: ["helped"], queue: "default" });
  expect(await outcomeOf(helped, "helped")).toEqual({ status: "finished" });
  expect(effectsOf("helped")).toEqual([`part-0 1 ${worker.pid}`]);
  await worker.kill();
});

it("tasks of the queue default that no worker has taken are taken back once none is left, and executed once", async () => {
  const worker = start({ role: "worker", queue: "default", concurrency: 1 });
  await expect.poll(() => isKnown(worker)).toBe(true);
  // Its only place is taken for good.
  start({ role: "driver", runs: ["in-its-place"], queue: "default", isHeld: true });
  await expect.poll(() => effectsOf("in-its-place")).toEqual([`part-0 1 ${worker.pid}`]);
  const driver = start({ role: "driver", runs: ["taken-back"], tasks: 2, queue: "default" });
  const waiting = () =>
    query(
      database.url,
      `SELECT d.worker_id FROM _service_dispatches d JOIN _service_runs r ON r.run_no = d.run_no
        WHERE r.run_id = 'taken-back'`,
    );
  await expect.poll(waiting).toEqual([[null], [null]]);
  await worker.kill();
  expect(await outcomeOf(driver, "taken-back")).toEqual({ status: "finished" });
  expect(effectsOf("taken-back").sort()).toEqual([`part-0 1 ${driver.pid}`, `part-1 1 ${driver.pid}`]);
});

it("a task whose worker is killed starts again on another one", async () => {
  const first = start({ role: "worker" });
  const driver = start({ role: "driver", runs: ["killed"], isHeld: true });
  await expect.poll(() => effectsOf("killed")).toEqual([`part-0 1 ${first.pid}`]);
  await first.kill();
  const second = start({ role: "worker" });
  expect(await outcomeOf(driver, "killed")).toEqual({ status: "finished" });
  expect(effectsOf("killed")).toEqual([`part-0 1 ${first.pid}`, `part-0 2 ${second.pid}`]);
});

it("a worker that is asked to stop finishes what it has, takes nothing more, and keeps its process no longer", async () => {
  const first = start({ role: "worker", concurrency: 1 });
  const driver = start({ role: "driver", runs: ["drained"], tasks: 3, taskMs: 400 });
  await first.line(({ began }) => String(began).startsWith("drained"));
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  expect(first.lines.at(-1)).toEqual({ left: first.pid, timers: 0 });
  const second = start({ role: "worker" });
  expect(await outcomeOf(driver, "drained")).toEqual({ status: "finished" });
  const begun = effectsOf("drained").map((line) => line.split(" "));
  expect(begun.map(([, attempt]) => attempt)).toEqual(["1", "1", "1"]);
  expect(new Set(begun.map(([, , pid]) => pid))).toEqual(new Set([`${first.pid}`, `${second.pid}`]));
});

it("a worker that is asked twice gives back what it has, which starts elsewhere and counts as no failure", async () => {
  const first = start({ role: "worker" });
  const driver = start({ role: "driver", runs: ["returned"], isHeld: true });
  await expect.poll(() => effectsOf("returned")).toEqual([`part-0 1 ${first.pid}`]);
  first.child.kill("SIGTERM");
  await first.line(({ stopping }) => stopping !== undefined);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  const second = start({ role: "worker" });
  expect(await outcomeOf(driver, "returned")).toEqual({ status: "finished" });
  expect(effectsOf("returned")).toEqual([`part-0 1 ${first.pid}`, `part-0 2 ${second.pid}`]);
});

it("runs of the old code finish on workers that have it, runs of the new one on workers with the new", async () => {
  const oldDriver = start({ role: "driver", runs: ["before"], tasks: 4, taskMs: 50, code: "old" });
  const newDriver = start({ role: "driver", runs: ["after"], tasks: 4, taskMs: 50, code: "new" });
  const newWorker = start({ role: "worker", code: "new" });
  expect(await outcomeOf(newDriver, "after")).toEqual({ status: "finished" });
  expect(effectsOf("after").every((line) => line.endsWith(` ${newWorker.pid}`))).toBe(true);
  const oldWorker = start({ role: "worker", code: "old" });
  expect(await outcomeOf(oldDriver, "before")).toEqual({ status: "finished" });
  expect(effectsOf("before").every((line) => line.endsWith(` ${oldWorker.pid}`))).toBe(true);
  expect(await query(database.url, "SELECT parts FROM whole WHERE run_id = 'before'")).toEqual([
    ['["0 by old","1 by old","2 by old","3 by old"]'],
  ]);
});
