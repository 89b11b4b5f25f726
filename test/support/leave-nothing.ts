import { afterAll, vi } from "vitest";

const KEPT = Symbol.for("treadle.tests.timers");
const TIMERS = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "Date",
] as const;
const kept = globalThis as typeof globalThis & { [KEPT]?: object };
/** As the process began with them; a later file may find what an earlier one has left. */
kept[KEPT] ??= Object.fromEntries(TIMERS.map((name) => [name, globalThis[name]]));

const FOLDER = Symbol.for("treadle.tests.folder");
const begun = globalThis as typeof globalThis & { [FOLDER]?: string };
begun[FOLDER] ??= process.cwd();
const folder = begun[FOLDER];

// The files of a worker share its process: what one has replaced is put back before the next one.
afterAll(() => {
  process.chdir(folder);
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // A function of virtual time that was watched is put back as such.
  Object.assign(globalThis, kept[KEPT]);
});
