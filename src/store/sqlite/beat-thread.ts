import { createRequire } from "node:module";
import type { Worker } from "node:worker_threads";
import type { BlockedBeat } from "../contract.js";
import type { Statement } from "../sql-port.js";
import { builtin } from "../../util/builtin.js";

/** One heartbeat: the statement's first parameter is the time, which the thread fills in. */
interface Beat {
  id: number;
  path: string;
  sql: string;
  params: readonly unknown[];
}

/**
 * The thread's program, as text: it has no modules of its own, so that it starts
 * the same from sources, from the package and from a bundle. It writes only when
 * the first thread has given no sign of life for two rounds; what fails is tried
 * again with the next round.
 */
const PROGRAM = `
const { parentPort, workerData: { driver, sign, everyMs } } = require("node:worker_threads");
const beats = new Map();
const open = new Map();
const close = (path) => {
  if ([...beats.values()].some((beat) => beat.path === path)) return;
  open.get(path)?.close();
  open.delete(path);
};
parentPort.on("message", ({ begin, end }) => {
  if (begin !== undefined) return beats.set(begin.id, begin);
  const beat = beats.get(end);
  beats.delete(end);
  if (beat !== undefined) close(beat.path);
});
let last = -1;
let quiet = 0;
setInterval(() => {
  const now = Atomics.load(sign, 0);
  quiet = now === last ? quiet + 1 : 0;
  last = now;
  if (quiet < 2) return;
  for (const { path, sql, params } of beats.values()) {
    try {
      if (!open.has(path)) {
        const db = new (require(driver))(path, { fileMustExist: true, timeout: everyMs });
        db.pragma("synchronous = NORMAL");
        open.set(path, db);
      }
      open.get(path).prepare(sql).run(Date.now(), ...params);
    } catch {}
  }
}, everyMs);
`;

/**
 * Writes the heartbeats of this process's leases while its first thread is
 * blocked: a task that computes for long without a pause is not a dead process.
 * A process that is stopped as a whole stops here too.
 */
export class BeatThread {
  static #running: BeatThread | undefined;

  /** Makes the thread with the first lease; it does not keep the process alive. */
  static keep(path: string, everyMs: number, beat: Statement): BlockedBeat {
    BeatThread.#running ??= new BeatThread(everyMs);
    return BeatThread.#running.#keep({ path, sql: beat.sql, params: beat.params.slice(1) });
  }

  readonly #sign = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  #nextId = 0;

  private constructor(everyMs: number) {
    const driver = createRequire(import.meta.url).resolve("better-sqlite3");
    const threads = builtin("node:worker_threads");
    this.#worker = new threads.Worker(PROGRAM, {
      eval: true,
      workerData: { driver, sign: this.#sign, everyMs },
    });
    // Without it the process continues as one that has only its own heartbeats.
    this.#worker.on("error", () => {});
    this.#worker.unref();
  }

  #keep(beat: Omit<Beat, "id">): BlockedBeat {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#worker.postMessage({ begin: { id, ...beat } });
    return {
      alive: () => void Atomics.add(this.#sign, 0, 1),
      end: () => this.#worker.postMessage({ end: id }),
    };
  }
}
