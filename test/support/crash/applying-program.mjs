// Started as a process of its own: node applying-program.mjs <dist folder> <options as JSON>. Runs a SuperService that
// changes three files below `rootDir`, or goes on with it. Writes what it has begun into `log`, one line each, and kills
// itself at the rename number `dies.at`, before it or after it.
import { appendFileSync, promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

const [, , dist, text] = process.argv;
const { dbPath, rootDir, log, dies, resume } = JSON.parse(text);
const say = (line) => appendFileSync(log, `${line}\n`);

const { rename } = promises;
let renames = 0;
promises.rename = async (from, to) => {
  renames += 1;
  const isLast = renames === dies?.at;
  if (isLast && dies.when === "before") process.kill(process.pid, "SIGKILL");
  await rename(from, to);
  say(`write ${basename(to)}`);
  if (isLast) process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();

const { createService, runWorkflow } = await import(`${dist}/src/index.js`);
const { jsx } = await import(`${dist}/jsx-runtime/jsx-runtime.js`);

const { Workflow, SuperService, service } = createService({}, { dbPath });
const agent = {
  generate: async () => {
    say("ask");
    const edits = ["a.txt", "b.txt", "c.txt"].map((path) => ({ path, content: `new ${path}\n` }));
    return { output: { summary: "All of them.", edits } };
  },
};
const workflow = service(() =>
  jsx(Workflow, {
    name: "applying",
    children: jsx(SuperService, { id: "s", strategy: "Renew them.", agent }),
  }),
);
const result = await runWorkflow(workflow, {
  runId: "r",
  input: {},
  rootDir,
  ...(resume && { resume, force: true }),
});
say(result.status);
