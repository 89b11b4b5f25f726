import { forkRun } from "treadle";
import { sequence } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/fork.js DATABASE RUN: of a run of 1,000 tasks, all of them done.
const [path, runId] = process.argv.slice(2);
const workflow = sequence(1_000, path);
let kept = 0;
const time = await timed(async () => {
  kept = (await forkRun(workflow, { runId })).keptNodes.length;
});
if (kept !== 1_000) throw new Error(`the fork has ${kept} tasks`);
report(time);
