import { openFloor, writeFloor } from "../floor.js";
import { median } from "../measure.js";
import { scratch } from "../scratch.js";
import { finish, named, sequence } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/warm-run.js CASE RUNS: the middle of the last fifth of so many runs in one process, as in a gateway
// or a worker, where what runs was optimized long ago.
const [name, runs] = [process.argv[2], Number(process.argv[3])];

/** A run in a database of its own. */
function inNewDatabase(open) {
  return () => {
    const folder = scratch();
    const { run, close = () => {} } = open(folder.path);
    return {
      run,
      close: () => {
        close();
        folder.dispose();
      },
    };
  };
}

/** One database for all of them. */
function inKnownDatabase(open) {
  const folder = scratch();
  process.once("exit", () => folder.dispose());
  const { run } = open(folder.path);
  return () => ({ run, close: () => {} });
}

function floorOf(tasks) {
  return (path) => {
    const db = openFloor(path);
    let written = 0;
    const run = () => {
      writeFloor(db, tasks, written);
      written += tasks;
    };
    return { run, close: () => db.close() };
  };
}

/** `count` runs at the same time. */
function runOf(make, count = 1) {
  return (path) => {
    const workflow = make(path);
    return { run: () => Promise.all(Array.from({ length: count }, () => finish(workflow))) };
  };
}

const cases = {
  sequence: () => inNewDatabase(runOf(named.sequence)),
  loop: () => inNewDatabase(runOf(named.loop)),
  "100 runs of 5": () => inNewDatabase(runOf((path) => sequence(5, path), 100)),
  "1,000 of the floor": () => inNewDatabase(floorOf(1_000)),
  "500 of the floor": () => inNewDatabase(floorOf(500)),
  "ten tasks": () => inKnownDatabase(runOf((path) => sequence(10, path))),
  "ten of the floor": () => inKnownDatabase(floorOf(10)),
};

const next = cases[name]();
const taken = [];
for (let count = 0; count < runs; count += 1) {
  const { run, close } = next();
  taken.push(await timed(run));
  close();
}
const last = taken.slice(-Math.max(1, Math.floor(runs / 5)));
report({ ms: median(last.map(({ ms }) => ms)), cpuMs: median(last.map(({ cpuMs }) => cpuMs)) });
