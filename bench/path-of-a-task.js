import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import inspector from "node:inspector";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

// node bench/path-of-a-task.js [--list]
//
// The files and functions that one trivial task runs through, from its row to the start of the next task: counted by
// V8, file by file, in a run of many such tasks that is warm by then. The numbers are the same each time.
const { values } = parseArgs({ options: { list: { type: "boolean" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const home = `${root}node_modules/.cache/path-of-a-task`;
const out = `${home}/dist`;
rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
// JSX is imported from the package by its name.
symlinkSync(`${root}package.json`, `${home}/package.json`);
await build({
  absWorkingDir: root,
  entryPoints: ["src", "jsx-runtime"].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("src/console/")),
  ),
  outbase: ".",
  outdir: out,
  format: "esm",
  platform: "node",
  target: "node20.19",
  jsx: "automatic",
  jsxImportSource: "treadle",
  logLevel: "warning",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
});

const { createService, runWorkflow } = await import(pathToFileURL(`${out}/src/index.js`).href);
const { jsx } = await import(pathToFileURL(`${out}/jsx-runtime/jsx-runtime.js`).href);
const { z } = await import("zod");

const profiler = new inspector.Session();
profiler.connect();
/** Answered before it returns: the session is in this thread. */
function ask(method, params = {}) {
  let answer;
  profiler.post(method, params, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}
ask("Profiler.enable");
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const TASKS = 60;
const FROM = 40;
const prefix = pathToFileURL(`${out}/`).href;
const schemas = { input: z.object({}), row: z.object({ n: z.number() }) };

/** What runs between two tasks of a sequence. With `reads`, each row makes another frame. */
async function pathOf({ reads }) {
  let coverage;
  const { Workflow, Sequence, Task, outputs, service } = createService(schemas, { dbPath: ":memory:" });
  const step = (n) => () => {
    const taken = ask("Profiler.takePreciseCoverage");
    if (n === FROM + 1) coverage = taken;
    return { n };
  };
  const tasks = Array.from({ length: TASKS }, (_, n) =>
    jsx(Task, { id: `task-${n}`, output: outputs.row, children: step(n) }, `task-${n}`),
  );
  const workflow = service((ctx) => {
    const label = reads ? `after ${ctx.outputs.row.length}` : undefined;
    const last = jsx(Task, { id: "last", label, output: outputs.row, children: { n: 0 } }, "last");
    return jsx(Workflow, { name: "path", children: jsx(Sequence, { children: [...tasks, last] }) });
  });
  const { status } = await runWorkflow(workflow, { input: {} });
  if (status !== "finished") throw new Error(`The run is ${status}.`);
  return coverage.result
    .filter(({ url }) => url.startsWith(prefix))
    .map(({ url, functions }) => ({
      file: relative(out, fileURLToPath(url)),
      // The function of the module itself begins at 0.
      called: functions
        .filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ called }) => called.length > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

for (const [name, reads] of [
  ["a row that nothing reads", false],
  ["a row that becomes a frame", true],
]) {
  const files = await pathOf({ reads });
  if (values.list) for (const { file, called } of files) console.log(`  ${file}  ${called.join(" ")}`);
  const single = files.filter(({ called }) => called.length === 1).length;
  const functions = files.reduce((sum, { called }) => sum + called.length, 0);
  console.log(
    `${name.padEnd(28)} files ${files.length}  with one function ${single}  functions ${functions}`,
  );
}
