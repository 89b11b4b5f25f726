import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { readFolder, writeFolder } from "../support/folder-content.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const library = pathToFileURL(join(import.meta.dirname, "../../dist/src/index.js")).href;

/**
 * A program that drives a run of one sandbox, whose changes are put in place at once. It may kill itself once the work inside has
 * left its result, or once that many files have been written or moved since the patch was begun to be put in place.
 */
const program = `
import { appendFileSync, promises, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createElement as h } from ${JSON.stringify(import.meta.resolve("react"))};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const [folder, action, death = ""] = process.argv.slice(2);
const [how, number] = death.split(":");
const die = () => process.kill(process.pid, "SIGKILL");
let changes = 0, begun = false;
for (const name of ["mkdir", "rename", "rm", "rmdir", "writeFile"]) {
  const change = promises[name];
  promises[name] = async (...given) => {
    const result = await change(...given);
    begun ||= String(given[0]).includes("/application");
    if (begun && how === "step" && ++changes === Number(number)) die();
    return result;
  };
}
// The library takes what Node has as it is loaded.
const { createService, runWorkflow, ServiceDb } = await import(${JSON.stringify(library)});
const provider = {
  id: "writer",
  async run({ workspacePath, resultBundlePath }) {
    appendFileSync(join(workspacePath, "notes"), "added\\n");
    writeFileSync(join(workspacePath, "new"), "new\\n");
    rmSync(join(workspacePath, "old"));
    const result = { status: "finished", output: { text: "done" } };
    writeFileSync(join(resultBundlePath, "README.md"), JSON.stringify(result));
    if (how === "result") die();
    return { bundlePath: resultBundlePath };
  },
};
const api = createService({ input: z.object({}), output: z.object({ text: z.string() }) }, { dbPath: join(folder, "runs.db") });
const { Workflow, Sandbox, outputs } = api;
const box = { id: "box", workflow: "child.tsx", output: outputs.output, provider, autoAcceptDiffs: true };
const workflow = api.service(() => h(Workflow, { name: "parent" }, h(Sandbox, box)));
const resume = action === "resume" && { resume: true };
const { status, output } = await runWorkflow(workflow, { runId: "run", rootDir: join(folder, "root"), ...resume });
const events = await new ServiceDb(api.db).store.listEvents("run", { types: ["SandboxDiffAccepted"], limit: 10 });
console.log(JSON.stringify({ status, output, accepted: events.length }));
`;

const BEFORE = { notes: "-first\n", old: "-old\n" };
const AFTER = { notes: "-first\nadded\n", new: "-new\n" };

/** Some of all points in the suite, always the same ones; other ones with another `PROPERTY_SEED`, and all of them with `RUNS`. */
const STRIDE = process.env["RUNS"] === undefined ? 4 : 1;
const FIRST = 1 + (Number(process.env["PROPERTY_SEED"] ?? 0) % STRIDE);

function stage() {
  const folder = temporaryFolder("sandboxed");
  const script = join(folder, "program.mjs");
  writeFileSync(script, program);
  mkdirSync(join(folder, "root"));
  writeFolder(join(folder, "root"), BEFORE);
  const live = (action: string, death: string, crashAt = "") => {
    const env = { ...process.env, NODE_ENV: "production", SERVICE_CRASH_AT: crashAt };
    const ended = spawnSync(process.execPath, [script, folder, action, death], { env, encoding: "utf8" });
    return { signal: ended.signal, said: ended.stdout === "" ? ended.stderr : JSON.parse(ended.stdout) };
  };
  const files = () =>
    Object.fromEntries(
      Object.entries(readFolder(join(folder, "root"))).filter(([path]) => !path.startsWith(".service/")),
    );
  return { folder, live, files };
}

/** @returns whether there is such a point */
function killedAndResumed(death: string, crashAt = ""): boolean {
  const { folder, live, files } = stage();
  const killed = live("start", death, crashAt);
  if (killed.signal === null) return false;
  // Before the run is stored there is nothing to resume.
  const action = existsSync(join(folder, "runs.db")) && killed.signal === "SIGKILL" ? "resume" : "start";
  const point = `${death}${crashAt}`;
  expect({ point, ...live(action, "") }).toMatchObject({
    ...{ point, signal: null },
    said: { status: "finished", output: { text: "done" }, accepted: 1 },
  });
  expect({ point, files: files() }).toEqual({ point, files: AFTER });
  return true;
}

it("a run that is killed once its sandbox has left a result does the work again", () => {
  expect(killedAndResumed("result")).toBe(true);
}, 300_000);

it.each(["before-commit", "after-commit"])(
  "a run that is killed %s, whichever, has the changes of its sandbox once",
  (point) => {
    let number = FIRST + 1;
    while (killedAndResumed("", `${point}:${number}`)) number += STRIDE;
    expect(number).toBeGreaterThan(STRIDE);
  },
  600_000,
);

it("a run that is killed while the changes are put in place has them once, and whole", () => {
  let step = FIRST;
  // Three files are changed: one of two steps that follow each other leaves some of them as they were.
  while (killedAndResumed(`step:${step}`)) step += Math.min(STRIDE, 2);
  expect(step).toBeGreaterThan(Object.keys(AFTER).length);
}, 600_000);
