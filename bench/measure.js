import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The middle of an odd number of repetitions. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** What one of the programs in samples/ measures, in a fresh process. */
export function sample(name, ...args) {
  return JSON.parse(run([`bench/samples/${name}.js`, ...args.map(String)]));
}

/** Wall time of a whole fresh process, milliseconds. */
export function timeProcess(argv) {
  const start = performance.now();
  run(argv);
  return { ms: performance.now() - start };
}

/** As a user meets it, whatever a test runner has set. */
function run(argv) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) };
  const child = spawnSync(process.execPath, argv, { cwd: root, encoding: "utf8", env });
  if (child.status !== 0) throw new Error(`node ${argv.join(" ")} failed: ${child.stderr || child.error}`);
  return child.stdout;
}

/**
 * Ours and the floor in turn, so that both see the same machine: the medians of
 * the paired ratios of wall time and, where it was measured, of processor time. With a number of `rows`, the
 * processor time as well that each has above the floor: where the disk answers fast, a ratio says little else of ours.
 */
export function pairs(repeat, ours, floor, rows) {
  const taken = Array.from({ length: repeat }, () => {
    const raw = floor();
    return { raw, own: ours() };
  });
  const of = (read) => median(taken.map(read));
  return {
    ratio: of(({ own, raw }) => own.ms / raw.ms),
    ...(taken[0]?.own.cpuMs !== undefined && { cpuRatio: of(({ own, raw }) => own.cpuMs / raw.cpuMs) }),
    ...(rows !== undefined && {
      cpuUsPerRow: of(({ own, raw }) => (1_000 * (own.cpuMs - raw.cpuMs)) / rows),
    }),
    ms: of(({ own }) => own.ms),
    floorMs: of(({ raw }) => raw.ms),
    ...(taken[0]?.own.bytes !== undefined && { kilobytes: of(({ own }) => own.bytes) / 1024 }),
  };
}
