import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createServicePostgres, runWorker, runWorkflow } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";

// npm run build && node bench/fleet.js postgres://… : how long a task is on its way to a worker, and what several workers take on.
// The schema of its own that it works in is made anew.
const [server, role = "driver"] = process.argv.slice(2);
const url = new URL(server);
url.searchParams.set("options", "-c search_path=treadle_bench");
const LATENCIES = 200;
/** Before those that are measured: what runs is optimized by then, as in a fleet. */
const WARM_UP = 100;
const FAN_OUT = 400;

if (role === "driver") {
  const { default: pg } = await import("pg");
  const client = new pg.Client(server);
  await client.connect();
  await client.query(
    "DROP SCHEMA IF EXISTS treadle_bench CASCADE; DROP SCHEMA IF EXISTS treadle_jobs_treadle_bench CASCADE; CREATE SCHEMA treadle_bench",
  );
  await client.end();
}

const row = z.object({ askedAtMs: z.number(), beganAtMs: z.number() });
const { Workflow, Sequence, Parallel, Task, outputs, ...api } = await createServicePostgres(
  { input: z.object({ shape: z.enum(["sequence", "fan-out"]), count: z.number() }), row },
  { connectionString: url.href },
);

/** A queued task between two that are executed here: the first says when it was asked for. */
const steps = (count) =>
  Array.from({ length: count }, (_, n) => [
    jsx(
      Task,
      { id: `ask-${n}`, output: outputs.row, children: () => ({ askedAtMs: Date.now(), beganAtMs: 0 }) },
      `a${n}`,
    ),
    jsx(
      Task,
      {
        id: `far-${n}`,
        output: outputs.row,
        queue: "bench",
        deps: { asked: outputs.row },
        needs: { asked: `ask-${n}` },
        children: ({ asked }) => ({ askedAtMs: asked.askedAtMs, beganAtMs: Date.now() }),
      },
      `f${n}`,
    ),
  ]).flat();
const fan = (count) =>
  Array.from({ length: count }, (_, n) =>
    jsx(
      Task,
      {
        id: `far-${n}`,
        output: outputs.row,
        queue: "bench",
        children: () => ({ askedAtMs: 0, beganAtMs: 0 }),
      },
      n,
    ),
  );
const workflow = api.service(
  ({ input: { shape, count } }) =>
    jsx(Workflow, {
      name: "fleet",
      children:
        shape === "sequence"
          ? jsx(Sequence, { children: steps(count) })
          : jsx(Parallel, { children: fan(count), maxConcurrency: 64 }),
    }),
  { workflowHash: "bench" },
);

if (role === "worker") {
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  process.send?.("up");
  await runWorker(
    { fleet: workflow },
    { queues: ["bench"], concurrency: 8, drive: false, signal: stop.signal },
  );
  await api.close();
  if (process.connected) process.disconnect();
} else {
  const workers = [];
  for (const wanted of [1, 2, 4]) {
    while (workers.length < wanted) {
      const worker = spawn(process.execPath, [fileURLToPath(import.meta.url), server, "worker"], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      workers.push(worker);
      await once(worker, "message");
    }
    // The first one waits until all are at the queue.
    await runWorkflow(workflow, { input: { shape: "fan-out", count: 8 * wanted }, maxConcurrency: 64 });
    if (wanted === 1) {
      await runWorkflow(workflow, { input: { shape: "sequence", count: WARM_UP } });
      const { runId } = await runWorkflow(workflow, { input: { shape: "sequence", count: LATENCIES } });
      const { rows } = await rowsOf(runId);
      const ms = rows.map((each) => Number(each.ms)).toSorted((a, b) => a - b);
      const at = (part) => ms[Math.min(ms.length - 1, Math.floor(part * ms.length))];
      console.log(`from the task before it to a worker: median ${at(0.5)} ms  p99 ${at(0.99)} ms`);
    }
    const start = performance.now();
    await runWorkflow(workflow, { input: { shape: "fan-out", count: FAN_OUT }, maxConcurrency: 64 });
    const perSecond = Math.round((1_000 * FAN_OUT) / (performance.now() - start));
    console.log(`${wanted} worker(s): ${perSecond} tasks per second`);
  }
  for (const worker of workers) worker.kill("SIGTERM");
  await Promise.all(workers.map((worker) => once(worker, "exit")));
  await api.close();
}

async function rowsOf(runId) {
  const { sql } = await import("drizzle-orm");
  const text = `SELECT began_at_ms - asked_at_ms AS ms FROM "row" WHERE run_id = '${runId}' AND began_at_ms > 0`;
  return { rows: await api.db.execute(sql.raw(text)) };
}
