import { median, pairs, sample, timeProcess } from "./measure.js";
import { scratch } from "./scratch.js";

/** A whole run of one workflow of `tasks` tasks, against the floor for as many. */
function wholeRun(name, tasks) {
  return ({ repeat }) =>
    pairs(
      repeat,
      () => sample("whole-run", name),
      () => sample("floor", tasks),
      tasks,
    );
}

/** As `wholeRun`, in a process that has run the same several times before, as a gateway or a worker has; so has the floor. */
function warmRun(name, floor, runs) {
  return ({ repeat }) =>
    pairs(
      repeat,
      () => sample("warm-run", name, runs),
      () => sample("warm-run", floor, runs),
    );
}

/** A run of 1,000 tasks with one cheap scorer each, against the same run without. */
function scored({ repeat }) {
  return pairs(
    repeat,
    () => sample("whole-run", "scored sequence"),
    () => sample("whole-run", "sequence"),
  );
}

/** 100 runs of five tasks at the same time, on one database. */
function concurrentRuns({ repeat }) {
  return pairs(
    repeat,
    () => sample("concurrent-runs", 100, 5),
    () => sample("floor", 500),
  );
}

/** What a program takes, in a fresh process, that is given a run of 1,000 tasks which was stopped after `done`. */
function ofStoppedRun(program, done) {
  return ({ repeat }) => {
    const taken = Array.from({ length: repeat }, () => {
      const folder = scratch();
      const { runId } = sample("stopped-run", folder.path, done);
      const measured = sample(program, folder.path, runId);
      folder.dispose();
      return measured;
    });
    return { ms: median(taken.map(({ ms }) => ms)), cpuMs: median(taken.map(({ cpuMs }) => cpuMs)) };
  };
}

/** The first task of a resume, as a part of the time in which the rows of the whole run are written by the floor. */
function resumed({ repeat }) {
  const own = ofStoppedRun("resume", 500)({ repeat });
  const floorMs = median(Array.from({ length: repeat }, () => sample("floor", 1_000).ms));
  return { ratio: own.ms / floorMs, ...own, floorMs };
}

/** Parts of a sequence of 1,000 that are there for its history alone: of its processor time, and of its bytes. */
function historyOfSequence({ repeat }) {
  const [kept, leftOut] = [[], []];
  for (let count = 0; count < repeat; count += 1) {
    leftOut.push(sample("history", "left-out"));
    kept.push(sample("history", "kept"));
  }
  const part = (read) => 1 - median(leftOut.map(read)) / median(kept.map(read));
  return {
    partOfTime: part(({ cpuMs }) => cpuMs),
    partOfBytes: part(({ bytes }) => bytes),
    cpuMs: median(kept.map(({ cpuMs }) => cpuMs)),
    kilobytes: median(kept.map(({ bytes }) => bytes)) / 1024,
  };
}

/**
 * A program from its start to its first task, against one that opens a database and writes the facts of a task: one
 * that imports what every workflow file does, and as `bareRatio` one that imports nothing but the database.
 */
function coldStart({ repeat }) {
  const against = (program) => pairsOfStarts("first-task", program, repeat);
  return { ...against("bare-imports"), bareRatio: against("bare-start").ratio };
}

function pairsOfStarts(ours, floor, repeat) {
  const inFolder = (program) => {
    const folder = scratch();
    const time = timeProcess([`bench/samples/${program}.js`, folder.path]);
    folder.dispose();
    return time;
  };
  return pairs(
    repeat * 3,
    () => inFolder(ours),
    () => inFolder(floor),
  );
}

/** Wall time of a fresh process, against a bare `node -e 0`. */
function startUp(argv) {
  return ({ repeat }) =>
    pairs(
      repeat,
      () => timeProcess(argv),
      () => timeProcess(["-e", "0"]),
    );
}

/** How peak memory grows with ten times as many iterations, in runs of 100 each. */
function longLoopMemory() {
  const short = sample("peak-memory", "loop of 1,000 in runs of 100").megabytes;
  const long = sample("peak-memory", "loop of 10,000 in runs of 100").megabytes;
  return { ratio: long / short, shortMb: short, longMb: long };
}

/** How peak memory grows with ten times as many large rows. */
function largeRowsMemory() {
  const few = sample("peak-memory", "20 rows of a megabyte").megabytes;
  const many = sample("peak-memory", "200 rows of a megabyte").megabytes;
  return { ratio: many / few, fewMb: few, manyMb: many };
}

/**
 * Each measures in fresh processes, the way a user meets it. `limit` bounds the
 * member that it names; `isQuick` = part of `--quick` as well, `isLong` = once is enough there.
 */
export const workloads = {
  "sequence of 1,000": { limit: { ratio: 4 }, isQuick: true, measure: wholeRun("sequence", 1_000) },
  "sequence of 1,000, warm": {
    limit: { ratio: 2.7 },
    isQuick: true,
    measure: warmRun("sequence", "1,000 of the floor", 6),
  },
  "recall among 100,000 facts": { limit: { ms: 20 }, measure: () => sample("recall", 100_000) },
  "1,000 tasks, a scorer each": { limit: { ratio: 1.6 }, isQuick: true, measure: scored },
  "loop of 1,000 that reads its last row": {
    limit: { ratio: 7 },
    isQuick: true,
    measure: wholeRun("loop", 1_000),
  },
  "loop of 1,000, warm": {
    limit: { ratio: 3 },
    isQuick: true,
    measure: warmRun("loop", "1,000 of the floor", 6),
  },
  "ten tasks in a known database, warm": {
    isQuick: true,
    measure: warmRun("ten tasks", "ten of the floor", 600),
  },
  "100 runs of 5 at once": { limit: { ratio: 3.5 }, isQuick: true, measure: concurrentRuns },
  "100 runs of 5 at once, warm": {
    limit: { ratio: 1.1 },
    isQuick: true,
    measure: warmRun("100 runs of 5", "500 of the floor", 6),
  },
  "fan-out of 1,000, cap 64": {
    limit: { ratio: 0.7 },
    isQuick: true,
    measure: wholeRun("fan-out, cap 64", 1_001),
  },
  "1,000 labels that change each frame": {
    limit: { ratio: 15 },
    isQuick: true,
    isLong: true,
    measure: wholeRun("changing labels", 1_000),
  },
  "first task after resume of 1,000": {
    limit: { ratio: 0.25 },
    isQuick: true,
    measure: resumed,
  },
  "fork of 1,000": { limit: { ms: 300 }, isQuick: true, measure: ofStoppedRun("fork", 1_000) },
  "history of a sequence of 1,000": {
    limit: { partOfTime: 0.15, partOfBytes: 0.3 },
    isQuick: true,
    measure: historyOfSequence,
  },
  "cold start to the first task": { limit: { ratio: 2 }, isQuick: true, measure: coldStart },
  "import treadle": {
    isQuick: true,
    measure: startUp(["--input-type=module", "-e", 'await import("treadle")']),
  },
  "treadle --version": { isQuick: true, measure: startUp(["dist/src/cli/main.js", "--version"]) },
  "fan-out of 1,000, cap 4": { measure: wholeRun("fan-out, cap 4", 1_001) },
  "root reads every output, 1,000": { limit: { ratio: 15 }, measure: wholeRun("reads everything", 1_000) },
  "growth 100 to 10,000, static": { limit: { ratio: 1.3 }, measure: () => sample("growth", "static") },
  "growth 100 to 10,000, deps": { limit: { ratio: 1.3 }, measure: () => sample("growth", "deps") },
  "memory of 10,000 static tasks": {
    limit: { megabytes: 250 },
    measure: () => sample("peak-memory", "10,000 static tasks"),
  },
  "memory of 20 to 200 rows of 1 MB": { limit: { ratio: 1.6 }, measure: largeRowsMemory },
  "memory of a loop, 1,000 to 10,000": { limit: { ratio: 1.25 }, measure: longLoopMemory },
};
