import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const library = pathToFileURL(join(import.meta.dirname, "../../dist/src/index.js")).href;
const react = import.meta.resolve("react");

/** A program that runs two tasks, goes back behind the second, resumes, or tells what is stored. */
const program = `
import { createElement as h } from ${JSON.stringify(react)};
import { createService, rewindRun, runWorkflow, ServiceDb } from ${JSON.stringify(library)};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const [file, action] = process.argv.slice(2);
const schemas = { input: z.object({}), step: z.object({ n: z.number() }) };
const api = createService(schemas, { dbPath: file });
const { Workflow, Task, outputs } = api;
const task = (id, n, dependsOn) => h(Task, { id, output: outputs.step, ...(dependsOn && { dependsOn }) }, () => ({ n }));
const workflow = api.service(() => h(Workflow, { name: "two" }, task("one", 1), task("two", 2, ["one"])));
if (action === "start") await runWorkflow(workflow, { runId: "run", input: {} });
if (action === "rewind") await rewindRun(workflow, { runId: "run", frameNo: 2 });
if (action === "resume") await runWorkflow(workflow, { runId: "run", resume: true });
const { store } = new ServiceDb(api.db);
const run = await store.getRun("run");
const rows = (await store.listOutputs("run", "step")).map(({ nodeId }) => nodeId);
const nodes = (await store.listNodes("run")).map(({ nodeId, state }) => nodeId + " " + state);
console.log(JSON.stringify({ status: run.status, isPaused: run.paused !== null, rows, nodes }));
`;

function stage() {
  const folder = temporaryFolder();
  const script = join(folder, "program.mjs");
  writeFileSync(script, program);
  return (action: string, crashAt?: string) => {
    const env = {
      ...process.env,
      NODE_ENV: "production",
      ...(crashAt !== undefined && { SERVICE_CRASH_AT: crashAt }),
    };
    const file = join(folder, "runs.db");
    const { stdout, stderr, signal } = spawnSync(process.execPath, [script, file, action], {
      env,
      encoding: "utf8",
    });
    return { signal, stderr, told: stdout === "" ? null : JSON.parse(stdout) };
  };
}

const BEFORE = {
  status: "finished",
  isPaused: false,
  rows: ["one", "two"],
  nodes: ["one finished", "two finished"],
};
const AFTER = { status: "running", isPaused: true, rows: ["one"], nodes: ["one finished", "two pending"] };

it.each([
  ["before", "before-commit", BEFORE],
  ["after", "after-commit", AFTER],
])(
  "a process that is killed %s the commit of a rewind leaves the run as it is then",
  (_when, crashAt, left) => {
    const run = stage();
    expect(run("start")).toMatchObject({ told: BEFORE });
    expect(run("rewind", crashAt).signal).toBe("SIGKILL");
    expect(run("look").told).toEqual(left);
    if (left === BEFORE) expect(run("rewind")).toMatchObject({ told: AFTER });
    expect(run("resume")).toMatchObject({ told: BEFORE });
  },
);
