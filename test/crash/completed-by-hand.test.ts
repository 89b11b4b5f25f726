import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const library = pathToFileURL(join(import.meta.dirname, "../../dist/src/index.js")).href;

/** A program whose first task fails, that completes it by hand, that resumes the run, or that says what is stored. */
const program = `
import { createElement as h } from ${JSON.stringify(import.meta.resolve("react"))};
import { completeTask, createService, runWorkflow, ServiceDb } from ${JSON.stringify(library)};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const [file, action] = process.argv.slice(2);
const api = createService({ input: z.object({}), output: z.object({ n: z.number() }) }, { dbPath: file });
const { Workflow, Sequence, Task, outputs } = api;
const task = (id, make) => h(Task, { key: id, id, output: outputs.output, noRetry: true }, make);
const fails = () => { throw new Error("broken"); };
const workflow = api.service((ctx) => h(Workflow, { name: "steps" }, h(Sequence, null, [
  task("one", fails), task("two", () => ({ n: ctx.output("output", { nodeId: "one" }).n + 1 })),
])));
const { store } = new ServiceDb(api.db);
if (action === "complete") {
  await runWorkflow(workflow, { runId: "run", input: {} });
  await completeTask(workflow, { runId: "run", nodeId: "one", output: { n: 40 } });
  process.kill(process.pid, "SIGKILL");
}
if (action === "resume") await runWorkflow(workflow, { runId: "run", resume: true });
const { status } = await store.getRun("run");
const rows = (await store.listOutputs("run", "output")).map(({ nodeId, n }) => nodeId + " " + n);
const told = (await store.listEvents("run", { types: ["NodeCompletedByHand"], limit: 9 })).length;
console.log(JSON.stringify({ status, rows, told, left: (await store.pendingIntents("run")).length }));
`;

it("a row given by hand is neither lost nor taken twice when processes are killed around it", () => {
  const folder = temporaryFolder();
  const script = join(folder, "program.mjs");
  writeFileSync(script, program);
  const run = (action: string, crashAt = "") => {
    const env = { ...process.env, NODE_ENV: "production", SERVICE_CRASH_AT: crashAt };
    const argv = [script, join(folder, "runs.db"), action];
    const { stdout, signal } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
    return signal ?? (JSON.parse(stdout) as object);
  };
  expect(run("complete")).toBe("SIGKILL");
  // The commit that takes it up, which nobody has seen; then the same, which is there.
  expect(run("resume", "before-commit")).toBe("SIGKILL");
  expect(run("look")).toEqual({ status: "failed", rows: [], told: 0, left: 1 });
  expect(run("resume", "after-commit")).toBe("SIGKILL");
  expect(run("resume")).toEqual({ status: "finished", rows: ["one 40", "two 41"], told: 1, left: 0 });
});
