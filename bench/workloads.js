import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runWorkflow } from "treadle";
import { measureFloor, scratch } from "./floor.js";
import { compare, median, timeRun } from "./measure.js";
import { depsSequence, fanOut, loop, readsEverything, sequence, staticSequence } from "./workflows.js";

/** How per-task cost grows from N = 100 to N = 10,000: 1 = not at all. */
async function growth(make) {
  await timeRun((path) => make(1_000, path));
  const small = [];
  for (let round = 0; round < 15; round += 1)
    small.push((await timeRun((path) => make(100, path))).elapsed / 100);
  const large = [];
  for (let round = 0; round < 3; round += 1) {
    large.push((await timeRun((path) => make(10_000, path))).elapsed / 10_000);
  }
  const ratio = median(large) / median(small);
  return { ratio, smallPerTaskMs: median(small), largePerTaskMs: median(large) };
}

/** Wall time of a fresh process, against a bare `node -e 0`. */
function startUp(args) {
  const time = (argv) => {
    const values = [];
    for (let round = 0; round < 7; round += 1) {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root });
      if (status !== 0) throw new Error(String(stderr));
      values.push(performance.now() - start);
    }
    return median(values);
  };
  const bare = time(["-e", "0"]);
  const ours = time(args);
  return { ratio: ours / bare, ms: ours, bareMs: bare };
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** Peak memory of a fresh process that runs one workflow, MB. `make` is an expression with `path` in scope. */
function peakOf(make) {
  const script = `
    import { runWorkflow } from "treadle";
    import { loop, staticSequence } from "./bench/workflows.js";
    import { scratch } from "./bench/floor.js";
    const folder = scratch();
    const { path } = folder;
    const { status } = await runWorkflow(${make}, { input: {} });
    folder.dispose();
    if (status !== "finished") throw new Error("the run ended " + status);
    process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  if (child.status !== 0) throw new Error(String(child.stderr));
  return Number(child.stdout);
}

/** 10,000 static tasks, against 250 MB. */
function peakMemory() {
  const megabytes = peakOf("staticSequence(10_000, path)");
  return { ratio: megabytes / 250, megabytes };
}

/** How peak memory grows with ten times as many iterations, in runs of 100 each: 1 = not at all. */
function longLoopMemory() {
  const [short, long] = [peakOf("loop(1_000, path, 100)"), peakOf("loop(10_000, path, 100)")];
  return { ratio: long / short, shortMb: short, longMb: long };
}

/** 100 runs of five tasks at the same time, on one database. */
async function concurrentRuns() {
  const ratios = [];
  for (let round = 0; round < 3; round += 1) {
    const floor = measureFloor(500);
    const folder = scratch();
    const workflow = sequence(5, folder.path);
    const start = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => runWorkflow(workflow, { input: {} })));
    ratios.push((performance.now() - start) / floor);
    folder.dispose();
  }
  return { ratio: median(ratios) };
}

/** From the call that resumes a half-done run of 1,000 tasks to its first new task, in floor costs of one task. */
async function resumeHalfDone() {
  const ratios = [];
  for (let round = 0; round < 5; round += 1) {
    const floor = measureFloor(200) / 200;
    const folder = scratch();
    const stop = new AbortController();
    let done = 0;
    const workflow = sequence(1_000, folder.path);
    const { ServiceError } = await import("treadle");
    const { runId } = await runWorkflow(workflow, {
      input: {},
      signal: stop.signal,
      onProgress(event) {
        if (event.type !== "NodeFinished") return;
        done += 1;
        if (done === 500) stop.abort(new ServiceError("PROCESS_ABORTED", "half is enough"));
      },
    });
    const start = performance.now();
    let first;
    await runWorkflow(workflow, {
      runId,
      resume: true,
      onProgress(event) {
        if (event.type === "NodeStarted") first ??= performance.now() - start;
      },
    });
    ratios.push(first / floor);
    folder.dispose();
  }
  return { ratio: median(ratios) };
}

export const workloads = {
  "sequence of 1,000": { target: 2.5, run: () => compare(1_000, (path) => sequence(1_000, path)) },
  "fan-out of 1,000, cap 4": { run: () => compare(1_000, (path) => fanOut(1_000, path, 4)) },
  "fan-out of 1,000, cap 64": { target: 1.5, run: () => compare(1_000, (path) => fanOut(1_000, path, 64)) },
  "root reads every output, 1,000": {
    target: 15,
    run: () => compare(1_000, (path) => readsEverything(1_000, path), { repeat: 3 }),
  },
  "loop of 1,000 iterations": {
    target: 3,
    run: () => compare(1_000, (path) => loop(1_000, path), { repeat: 3 }),
  },
  "100 concurrent runs of 5": { target: 3, run: concurrentRuns },
  "growth 100 to 10,000, static": {
    target: 1.3,
    run: () => growth(staticSequence),
  },
  "growth 100 to 10,000, deps": { target: 1.3, run: () => growth(depsSequence) },
  "resume of a half-done 1,000": { target: 150, run: resumeHalfDone },
  "memory of 1,000 to 10,000 continued": { target: 1.25, run: longLoopMemory },
  "peak memory, 10,000 static": { target: 1, run: peakMemory },
  "import treadle": {
    run: () => startUp(["--input-type=module", "-e", 'await import("treadle")']),
  },
  "treadle --version": { run: () => startUp(["dist/src/cli/main.js", "--version"]) },
};
