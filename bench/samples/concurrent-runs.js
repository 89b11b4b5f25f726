import { scratch } from "../scratch.js";
import { finish, sequence } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/concurrent-runs.js RUNS TASKS: that many runs at the same time, on one database.
const [runs, tasks] = process.argv.slice(2).map(Number);
const folder = scratch();
const workflow = sequence(tasks, folder.path);
const time = await timed(() => Promise.all(Array.from({ length: runs }, () => finish(workflow))));
report({ ...time, bytes: folder.bytes() });
folder.dispose();
