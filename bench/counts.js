import { readFileSync, writeFileSync } from "node:fs";
import { sample } from "./measure.js";

const kept = new URL("counts.json", import.meta.url);

/** What one more of it costs: the difference of two sizes. */
const perUnit = (name, from, to) => () => {
  const [less, more] = [sample("counts", name, from), sample("counts", name, to)];
  return Object.fromEntries(
    Object.entries(more).map(([what, count]) => [what, (count - less[what]) / (to - from)]),
  );
};

const cases = {
  "a task of a sequence": perUnit("sequence", 100, 200),
  "an iteration of a loop": perUnit("loop", 100, 200),
  "a run of one task, new database": () => sample("counts", "new database", 1),
  "a run of one task, known database": () => sample("counts", "known database", 1),
  "a resume of 200 tasks at 100, to the next task": () => sample("counts", "resume", 200),
};

/** Counted now, in fresh processes: statements, rows, commits, pages of the log, frames, calls of functions. */
export function countAll() {
  return Object.fromEntries(
    Object.entries(cases).map(([name, count]) => [
      name,
      Object.fromEntries(
        Object.entries(count()).map(([what, value]) => [what, Math.round(value * 100) / 100]),
      ),
    ]),
  );
}

/** What the repository keeps: the counts that a change is compared with. */
export function keptCounts() {
  return JSON.parse(readFileSync(kept, "utf8"));
}

/** A count may be so much larger than the kept one: batches follow the clock, and few rows are rounded. */
const MARGIN = { calls: 1.1, pages: 1.1, statements: 1.05, rows: 1.03, commits: 1.03, frames: 1 };

/** @returns a line for each count that is worse than its margin allows */
export function worseCounts(counted, before = keptCounts()) {
  return Object.entries(before).flatMap(([name, counts]) =>
    Object.entries(counts)
      .filter(([what, count]) => !(counted[name]?.[what] <= count * MARGIN[what] + 0.05))
      .map(([what, count]) => `${name}: ${what} ${counted[name]?.[what]}, kept ${count}`),
  );
}

/** npm run bench -- --count [--write] */
export function printCounts({ write }) {
  const counted = countAll();
  for (const [name, counts] of Object.entries(counted)) {
    const shown = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
    console.log(`${name.padEnd(48)} ${shown.join("  ")}`);
  }
  if (write) {
    writeFileSync(kept, `${JSON.stringify(counted, null, 2)}\n`);
    return true;
  }
  const worse = worseCounts(counted);
  for (const line of worse) console.log(`WORSE: ${line}`);
  return worse.length === 0;
}
