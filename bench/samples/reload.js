import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createService, runWorkflow } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";
import { median } from "../measure.js";
import { scratch } from "../scratch.js";

// node bench/samples/reload.js SAVES DEBOUNCE_MS: from a save of one of 30 files to the frame that shows it.
const [saves, debounceMs] = process.argv.slice(2).map(Number);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const { path, dispose } = scratch();
const file = (name) => join(dirname(path), name);
const part = (n, text) => `export const part${n} = (Task, output) => (
  <Task id="part-${n}" output={output} dependsOn={["hold"]}>{() => ({ text: ${JSON.stringify(text)} })}</Task>
);
`;
const numbers = Array.from({ length: 29 }, (_, n) => n);
for (const n of numbers) writeFileSync(file(`part-${n}.tsx`), part(n, "first"));
writeFileSync(
  file("flow.tsx"),
  `import { createService } from "treadle";
import { z } from "zod";
${numbers.map((n) => `import { part${n} } from "./part-${n}.tsx";`).join("\n")}
const schemas = { out: z.object({ text: z.string() }) };
const { Workflow, Task, Parallel, service, outputs } = createService(schemas, { dbPath: ${JSON.stringify(path)} });
export default service(() => (
  <Workflow name="reload">
    <Parallel>
      <Task id="hold" output={outputs.out}>{() => ({ text: "held" })}</Task>
      ${numbers.map((n) => `{part${n}(Task, outputs.out)}`).join("\n      ")}
    </Parallel>
  </Workflow>
));
`,
);

/** The attempt that runs all the while: of the code before the first save. */
const hold = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const { Workflow, Task, service, outputs } = createService(
  { out: z.object({ text: z.string() }) },
  { dbPath: path },
);
const workflow = service(() =>
  jsx(Workflow, { name: "reload", children: jsx(Task, { id: "hold", output: outputs.out, children: hold }) }),
);

const stop = new AbortController();
let isReloaded = () => {};
const run = runWorkflow(workflow, {
  workflowPath: file("flow.tsx"),
  hot: { debounceMs },
  signal: stop.signal,
  onProgress(event) {
    if (event.type === "NodeStarted" || (event.type === "FrameCommitted" && event.reason === "reload"))
      isReloaded();
  },
});
const next = () =>
  new Promise((resolve) => {
    isReloaded = resolve;
  });
await next();
const heap = () => {
  collect();
  return process.memoryUsage().heapUsed;
};
const took = [];
let before = 0;
for (let save = 0; save < saves; save += 1) {
  const shown = next();
  const start = performance.now();
  writeFileSync(file(`part-${save % 29}.tsx`), part(save % 29, `save ${save}`));
  await shown;
  took.push(performance.now() - start);
  // The first ones fill caches.
  if (save === 19) before = heap();
}
const kilobytes = (heap() - before) / 1024;
stop.abort();
await run;
dispose();
console.log(
  JSON.stringify({
    medianMs: median(took),
    slowestMs: Math.max(...took),
    kilobytesPerSave: kilobytes / Math.max(1, saves - 20),
  }),
);
