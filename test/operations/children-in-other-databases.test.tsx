import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  approveNode,
  createService,
  explainRun,
  getRun,
  runWorkflow,
  ServiceDb,
  superviseRuns,
} from "treadle";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { stayAwake, wakeTime } from "../../src/operations/drive/stay-awake.js";
import { findDueRuns } from "../../src/operations/supervise/due-runs.js";

const HOUR_MS = 3_600_000;

/** A parent that is suspended on its child, which has a database of its own and waits for a person, or for an hour. */
async function open(wait: "approval" | "timer" = "approval") {
  const folder = mkdtempSync(join(tmpdir(), "treadle-databases-"));
  const database = (name: string) =>
    createService(
      { decision: z.object({ approved: z.boolean() }), output: z.object({ n: z.number() }) },
      { dbPath: join(folder, name) },
    );
  const one = database("parent.db");
  const other = database("child.db");
  const child = other.service(() => (
    <other.Workflow name="child">
      {wait === "timer" ? (
        <other.Timer id="hour" duration={HOUR_MS} />
      ) : (
        <other.Approval id="ask" output={other.outputs.decision} request={{ title: "Go?" }} />
      )}
      <other.Task id="work" output={other.outputs.output}>
        {{ n: 7 }}
      </other.Task>
    </other.Workflow>
  ));
  const parent = one.service(() => (
    <one.Workflow name="parent">
      <one.Subflow id="sub" workflow={child} output={one.outputs.output} />
    </one.Workflow>
  ));
  const { store } = new ServiceDb(one.db);
  onTestFinished(async () => {
    await store.close();
    await new ServiceDb(other.db).store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const suspended = await runWorkflow(parent, { runId: "run" });
  const reasons = async (nowMs = Date.now()) =>
    (await findDueRuns(store, nowMs)).map(({ run, reason }) => [run.runId, reason]);
  const answer = () => approveNode(child, { runId: "run:sub:0", nodeId: "ask" });
  return { child, parent, suspended, store, reasons, answer, path: join(folder, "child.db") };
}

test("a run is picked up when its child in another database is answered, and when that has ended without it", async () => {
  const { child, parent, reasons, answer } = await open();
  expect(await reasons()).toEqual([]);
  await answer();
  expect(await reasons()).toEqual([["run", "answered"]]);
  await runWorkflow(child, { runId: "run:sub:0", resume: true });
  expect(await reasons()).toEqual([["run", "answered"]]);
  expect(await runWorkflow(parent, { runId: "run", resume: true })).toMatchObject({
    status: "finished",
    output: { n: 7 },
  });
  expect(await reasons()).toEqual([]);
});

test("a run is picked up when its child in another database is due, and a process that stays with it knows when that is", async () => {
  const { store, reasons } = await open("timer");
  const dueAtMs = (await wakeTime(store, "run")) as number;
  expect(dueAtMs).toBeGreaterThan(Date.now());
  expect(await reasons(dueAtMs - 1)).toEqual([]);
  expect(await reasons(dueAtMs)).toEqual([["run", "due"]]);
});

test("why a run waits is what its child in another database waits for", async () => {
  const { child, parent, answer, path } = await open();
  expect((await explainRun(parent, "run")).blockers).toMatchObject([
    {
      kind: "approval",
      runId: "run:sub:0",
      nodeId: "ask",
      summary: expect.stringContaining(path),
      remedy: null,
    },
  ]);
  await answer();
  await runWorkflow(child, { runId: "run:sub:0", resume: true });
  expect((await explainRun(parent, "run")).blockers).toMatchObject([
    { kind: "decision-pending", nodeId: "sub", remedy: { action: "resume", runId: "run" } },
  ]);
});

test("a supervisor of both databases brings parent and child to their end", async () => {
  const { child, parent, answer } = await open();
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => {
    const onEnd = ({ runId, status }: { runId: string; status: string }) => {
      if (runId === "run" && status === "finished") resolve();
    };
    void superviseRuns({ parent, child }, { signal: stop.signal, intervalMs: 5, onEnd }).then(resolve);
  });
  await answer();
  await ended;
  stop.abort();
  expect((await getRun(parent, "run")).status).toBe("finished");
  expect((await getRun(child, "run:sub:0")).status).toBe("finished");
});

test("a process that stays with a run hears of an answer to its child in another database", async () => {
  const { parent, suspended, answer } = await open();
  const stays = stayAwake(parent, suspended, {
    wait: true,
    signal: new AbortController().signal,
    resume: (runId) => runWorkflow(parent, { runId, resume: true }),
  });
  await answer();
  expect((await stays).status).toBe("finished");
});

test("a child's database that is gone does not keep supervisors from other runs, and why says that its run cannot be read", async () => {
  const { parent, reasons, path } = await open();
  for (const end of ["", "-wal", "-shm", "-mark"]) rmSync(`${path}${end}`, { force: true });
  expect(await reasons()).toEqual([]);
  // No process can answer for a child that is not found.
  expect(await explainRun(parent, "run")).toMatchObject({
    status: "waiting-approval",
    blockers: [
      {
        nodeId: "sub",
        summary: expect.stringContaining("child run"),
        remedy: { action: "resume", runId: "run" },
      },
    ],
  });
});
