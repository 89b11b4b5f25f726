import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const library = pathToFileURL(join(import.meta.dirname, "../../dist/src/index.js")).href;
const react = import.meta.resolve("react");

/** A program that charges twice in one task, goes back behind it, or tells what is stored. */
const program = `
import { appendFileSync } from "node:fs";
import { createElement as h } from ${JSON.stringify(react)};
import { createService, defineTool, rewindRun, runWorkflow, ServiceDb } from ${JSON.stringify(library)};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const [file, outside, action] = process.argv.slice(2);
const schemas = { input: z.object({}), step: z.object({ n: z.number() }) };
const api = createService(schemas, { dbPath: file });
const { Workflow, Task, outputs } = api;
const did = (text) => appendFileSync(outside, text + "\\n");
const charge = defineTool({
  name: "charge",
  schema: z.object({ cents: z.number() }),
  sideEffect: true,
  execute: async ({ cents }) => {
    did("charge " + cents);
    if (action.startsWith("die")) process.kill(process.pid, "SIGKILL");
  },
  ...(!action.endsWith("plain") && { revert: ({ cents }, _result, { idempotencyKey, outcome }) => did(["refund", cents, outcome, idempotencyKey].join(" ")) }),
});
const generate = async () => {
  await charge.execute({ cents: 1 });
  await charge.execute({ cents: 2 });
  return { text: JSON.stringify({ n: 1 }) };
};
const agent = { id: "clerk", tools: { charge }, generate };
const workflow = api.service(() => h(Workflow, { name: "shop" }, h(Task, { id: "pay", output: outputs.step, agent }, "Charge.")));
const { store } = new ServiceDb(api.db);
if (action === "start" || action.startsWith("die")) await runWorkflow(workflow, { runId: "run", input: {} });
if (action.startsWith("preview")) {
  console.log(JSON.stringify(await rewindRun(workflow, { runId: "run", frameNo: 1, dryRun: true })));
  process.exit();
}
if (action.startsWith("rewind")) {
  const failed = await rewindRun(workflow, { runId: "run", frameNo: 1 }).then(() => undefined, ({ code, details }) => ({ code, details }));
  if (failed !== undefined) {
    console.log(JSON.stringify(failed));
    process.exit();
  }
}
const { status } = await store.getRun("run");
const reverts = (await store.listToolEffects("run")).map(({ callNo, revertState }) => callNo + " " + revertState);
console.log(JSON.stringify({ status, reverts }));
`;

/** The files of a run that has charged, for each test to copy. */
let charged = "";

beforeAll(() => {
  charged = mkdtempSync(join(tmpdir(), "treadle-charged-"));
  const { run } = stage(charged);
  expect(run("start")).toMatchObject({ told: { status: "finished", reverts: ["1 null", "2 null"] } });
});

afterAll(() => rmSync(charged, { recursive: true, force: true }));

function stage(folder: string) {
  const script = join(folder, "program.mjs");
  writeFileSync(script, program);
  const outside = join(folder, "outside.log");
  const run = (action: string, crashAt?: string) => {
    const env = {
      ...process.env,
      NODE_ENV: "production",
      ...(crashAt !== undefined && { SERVICE_CRASH_AT: crashAt }),
    };
    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      [script, join(folder, "runs.db"), outside, action],
      { env, encoding: "utf8" },
    );
    return { signal, stderr, told: stdout === "" ? null : JSON.parse(stdout) };
  };
  const refunds = () =>
    readFileSync(outside, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("refund"));
  return { run, refunds };
}

const REFUND_2 = "refund 2 done run:pay:0:charge:2:revert";
const REFUND_1 = "refund 1 done run:pay:0:charge:1:revert";

it.each([
  ["before the first revert is begun", "before-commit", ["1 null", "2 null"], [REFUND_2, REFUND_1]],
  ["once the first revert is begun", "after-commit", ["1 null", "2 begun"], [REFUND_2, REFUND_1]],
  [
    "when the first has undone and not said so",
    "before-commit:2",
    ["1 null", "2 begun"],
    [REFUND_2, REFUND_2, REFUND_1],
  ],
  ["once the first is done", "after-commit:2", ["1 null", "2 done"], [REFUND_2, REFUND_1]],
  [
    "when the last has undone and not said so",
    "before-commit:4",
    ["1 begun", "2 done"],
    [REFUND_2, REFUND_1, REFUND_1],
  ],
  ["before the run itself goes back", "before-commit:5", ["1 done", "2 done"], [REFUND_2, REFUND_1]],
])(
  "a rewind that is killed %s forgets no revert, and calls none again that is known to be done",
  (_when, crashAt, left, refunds) => {
    const folder = temporaryFolder();
    cpSync(charged, folder, { recursive: true });
    const { run, refunds: done } = stage(folder);
    expect(run("rewind", crashAt).signal).toBe("SIGKILL");
    expect(run("look").told).toEqual({ status: "finished", reverts: left });
    expect(run("rewind")).toMatchObject({ told: { status: "running", reverts: ["1 done", "2 done"] } });
    expect(done()).toEqual(refunds);
  },
);

it("undoes a call whose process died in it, which may have changed something", () => {
  const { run, refunds } = stage(temporaryFolder());
  expect(run("die").signal).toBe("SIGKILL");
  expect(run("rewind").told).toEqual({ status: "running", reverts: ["1 done"] });
  expect(refunds()).toEqual(["refund 1 unknown run:pay:0:charge:1:revert"]);
});

it("knows of a call that cannot be undone although its process died in it at once, and refuses to go back behind it", () => {
  const { run } = stage(temporaryFolder());
  expect(run("die-plain").signal).toBe("SIGKILL");
  const effects = ["pay::0 charge (outcome unknown)"];
  expect(run("preview-plain").told).toMatchObject({ effects, reverts: [] });
  expect(run("rewind-plain").told).toMatchObject({
    code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    details: { effects },
  });
});
