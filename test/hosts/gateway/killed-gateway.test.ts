import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { listEvents, listNodes } from "../../../src/index.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const RUNS = 50;
const STEPS = 5;
/** No run gets past this task in the first process, however long the test takes to look. */
const LAST_BEFORE_DEATH = 3;

interface Started {
  child: ChildProcess;
  stderr(): string;
  call(method: string, params: object): Promise<Record<string, unknown>>;
}

async function start(options: object): Promise<Started> {
  const program = [at("support/gateway-program.mjs"), at("../../../dist"), JSON.stringify(options)];
  const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = `http://127.0.0.1:${String(line).trim()}`;
  return {
    child,
    stderr: () => stderr,
    async call(method, params) {
      const response = await fetch(`${url}/v1/rpc/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(params),
      });
      const body = (await response.json()) as Record<string, unknown>;
      expect({ method, status: response.status, body }).toMatchObject({ status: 200 });
      return body;
    },
  };
}

/** How often each task of each run has begun: `<run> <task>` to a number. */
function beginnings(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(log, "utf8").trim().split("\n")) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

it("a gateway that is killed with 50 active runs continues with all of them when it is started again, and runs nothing twice that was done", async () => {
  const folder = temporaryFolder();
  const dbPath = join(folder, "service.db");
  const log = join(folder, "log.txt");
  const gates = { 0: join(folder, "begin"), [LAST_BEFORE_DEATH]: join(folder, "go-on") };
  const options = { workspaceRoot: folder, dbPath, log, gates, steps: STEPS };
  const first = await start(options);
  const launches = Array.from({ length: RUNS }, (_, n) =>
    first.call("launchRun", { workflow: "steps", idempotencyKey: `launch ${n}` }),
  );
  const runIds = (await Promise.all(launches)).map(({ runId }) => runId as string);
  writeFileSync(gates[0], "");
  // Half of the work is done, and no run has ended.
  await expect
    .poll(() => [...beginnings(log).values()].length, { interval: 20 })
    .toBeGreaterThan((RUNS * STEPS) / 2);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const store = openExisting(dbPath);
  store.prepare();
  onTestFinished(() => store.close());
  const db = new ServiceDb(store);
  const done: string[] = [];
  for (const runId of runIds) {
    for (const { nodeId, state } of await listNodes(db, runId)) {
      if (state === "finished") done.push(`${runId} ${nodeId}`);
    }
  }
  expect(done.length).toBeGreaterThan(0);
  const before = beginnings(log);
  const open = (await Promise.all(runIds.map((runId) => store.getRun(runId)))).filter(
    (run) => run?.status === "running",
  );
  expect(open.length).toBeGreaterThan(RUNS / 2);

  writeFileSync(gates[LAST_BEFORE_DEATH] as string, "");
  const second = await start(options);
  // Asked for again with the same keys, they are the same runs.
  const again = await Promise.all(
    runIds.map((_, n) => second.call("launchRun", { workflow: "steps", idempotencyKey: `launch ${n}` })),
  );
  expect(again.map(({ runId }) => runId)).toEqual(runIds);
  await expect
    .poll(
      async () =>
        ((await second.call("listRuns", { status: "finished", limit: 500 })).runs as unknown[]).length,
    )
    .toBe(RUNS);
  const after = beginnings(log);
  for (const task of done)
    expect({ task, begun: after.get(task) }).toEqual({ task, begun: before.get(task) });
  for (const runId of runIds) {
    const events = await listEvents(db, runId);
    const finished = events.flatMap(({ event }) => (event.type === "NodeFinished" ? [event.nodeId] : []));
    expect(finished).toEqual(Array.from({ length: STEPS }, (_, n) => `step-${n}`));
  }
  second.child.kill("SIGTERM");
  await once(second.child, "exit");
  expect({ first: first.stderr(), second: second.stderr() }).toEqual({ first: "", second: "" });
});
