import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const library = pathToFileURL(join(import.meta.dirname, "../../dist/src/index.js")).href;
const react = import.meta.resolve("react");
const sqlite = import.meta.resolve("better-sqlite3");

/** A program with a task, a child run and a task behind it: runs them, goes back behind the first, or tells what is stored and does the rest. */
const program = `
import { createElement as h } from ${JSON.stringify(react)};
import Database from ${JSON.stringify(sqlite)};
import { createService, rewindRun, runWorkflow, ServiceDb } from ${JSON.stringify(library)};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const [file, action, diesBefore] = process.argv.slice(2);
const row = z.object({ n: z.number() });
const api = createService({ input: z.object({}), step: row, output: row }, { dbPath: file });
const { Workflow, Sequence, Task, Subflow, outputs } = api;
const task = (id, output, n) => h(Task, { id, output, key: id }, () => ({ n }));
const child = api.service(() => h(Workflow, { name: "child" }, task("inside", outputs.output, 2)));
const parent = api.service(() => h(Workflow, { name: "parent" }, h(Sequence, null,
  task("one", outputs.step, 1),
  h(Subflow, { id: "sub", key: "sub", workflow: child, output: outputs.step }),
  task("three", outputs.step, 3))));
const { store } = new ServiceDb(api.db);
const look = async () => {
  const { status, paused } = await store.getRun("run");
  const rows = (await store.listOutputs("run", "step")).map(({ nodeId }) => nodeId).sort();
  const runs = (await store.listRuns({ limit: 10 })).length;
  return { status, isPaused: paused !== null, rows, runs };
};
const rewind = () => rewindRun(parent, { runId: "run", frameNo: 2, force: true });
if (action === "start") await runWorkflow(parent, { runId: "run", input: {} });
if (action === "rewind") {
  let commits = 0;
  const { prototype } = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1")).constructor;
  const { run } = prototype;
  prototype.run = function (...values) {
    if (/^COMMIT/.test(this.source) && ++commits === Number(diesBefore)) process.kill(process.pid, "SIGKILL");
    return run.apply(this, values);
  };
  await rewind();
}
const found = await look();
if (action === "go on") {
  if (!found.isPaused) await rewind();
  await runWorkflow(parent, { runId: "run", resume: true, force: true });
}
console.log(JSON.stringify({ found, ended: await look() }));
`;

const ALL = { status: "finished", isPaused: false, rows: ["one", "sub", "three"] };
const BACK = { status: "running", isPaused: true, rows: ["one"], runs: 1 };

it("a process that is killed at any commit of a rewind leaves a run with a child before it or behind it, and it comes to its end", () => {
  const folder = temporaryFolder();
  const script = join(folder, "program.mjs");
  writeFileSync(script, program);
  const run = (database: string, ...argv: string[]) => {
    const env = { ...process.env, NODE_ENV: "production" };
    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      [script, join(database, "runs.db"), ...argv],
      {
        env,
        encoding: "utf8",
      },
    );
    return {
      signal,
      stderr,
      told: stdout === "" ? null : (JSON.parse(stdout) as { found: { isPaused: boolean } }),
    };
  };
  const ended = join(folder, "ended");
  cpSync(temporaryFolder(), ended, { recursive: true });
  expect(run(ended, "start")).toMatchObject({ stderr: "", told: { ended: { ...ALL, runs: 2 } } });
  for (let commit = 1; ; commit += 1) {
    const own = join(folder, `killed-${commit}`);
    cpSync(ended, own, { recursive: true });
    const { signal, stderr, told } = run(own, "rewind", String(commit));
    if (signal === null) {
      // There is no such commit: the one before was the last.
      expect({ stderr, told }).toMatchObject({ stderr: "", told: { found: BACK } });
      expect(commit).toBeGreaterThan(3);
      return;
    }
    const after = run(own, "go on");
    expect({ commit, ...after }).toMatchObject({
      commit,
      stderr: "",
      told: { found: after.told?.found.isPaused === true ? BACK : ALL, ended: { ...ALL, runs: 2 } },
    });
  }
});
