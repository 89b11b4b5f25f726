import inspector from "node:inspector";
import { createRequire } from "node:module";
import { statSync } from "node:fs";
import { runWorkflow, ServiceError } from "treadle";
import { scratch } from "../scratch.js";
import { finish, loop, sequence } from "../workflows.js";
import { report } from "./report.js";

// node bench/samples/counts.js CASE SIZE: what a run asks of the database, and the functions of the library that it calls.
const Database = createRequire(import.meta.url)("better-sqlite3");
const [name, size] = [process.argv[2], Number(process.argv[3])];
const folder = scratch();
const counted = { statements: 0, rows: 0, commits: 0 };
let isCounting = false;

/** Counts each call of a statement, and the rows that it writes. */
function countStatements() {
  const db = new Database(":memory:");
  const prototype = Object.getPrototypeOf(db.prepare("SELECT 1"));
  db.close();
  for (const method of ["run", "get", "all", "iterate"]) {
    const original = prototype[method];
    prototype[method] = function (...values) {
      const answer = original.apply(this, values);
      if (!isCounting) return answer;
      counted.statements += 1;
      const [verb] = this.source.trimStart().split(/\s/, 1);
      if (/^commit$/i.test(verb)) counted.commits += 1;
      if (/^(insert|update|delete|replace|with)$/i.test(verb))
        counted.rows += method === "run" ? answer.changes : this.readonly ? 0 : [answer ?? []].flat().length;
      return answer;
    };
  }
}

const profiler = new inspector.Session();
profiler.connect();

/** Answered before it returns: the session is in this thread. */
function coverage(method, params = {}) {
  let answer;
  profiler.post(`Profiler.${method}`, params, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

/** Pages in the write-ahead log, which a reader keeps from being emptied. */
function walPages() {
  const bytes = statSync(`${folder.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return bytes === 0 ? 0 : Math.round((bytes - 32) / (4096 + 24));
}

let reader;

/** A reader of what is there now: the log keeps all that is written from then on. */
function keepLog() {
  reader = new Database(folder.path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM sqlite_schema").get();
}

function frameCount() {
  const db = new Database(folder.path, { readonly: true });
  const { n } = db.prepare("SELECT count(*) AS n FROM _service_frames").get();
  db.close();
  return n;
}

const before = { pages: 0, frames: 0 };

function begin() {
  if (reader !== undefined) Object.assign(before, { pages: walPages(), frames: frameCount() });
  coverage("enable");
  coverage("startPreciseCoverage", { callCount: true, detailed: false });
  isCounting = true;
}

function end() {
  isCounting = false;
  const pages = walPages() - before.pages;
  const { result } = coverage("takePreciseCoverage");
  const calls = result
    .filter(({ url }) => url.includes("/dist/"))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges: [range] }) => sum + range.count, 0);
  report({ ...counted, pages, frames: frameCount() - before.frames, calls });
  folder.dispose();
  process.exit();
}

const cases = {
  async sequence() {
    await finish(sequence(1, folder.path));
    keepLog();
    const workflow = sequence(size, folder.path);
    begin();
    await finish(workflow);
  },
  async loop() {
    await finish(loop(1, folder.path));
    keepLog();
    const workflow = loop(size, folder.path);
    begin();
    await finish(workflow);
  },
  async "new database"() {
    const workflow = sequence(size, folder.path);
    begin();
    await finish(workflow);
  },
  async "known database"() {
    await finish(sequence(1, folder.path));
    keepLog();
    const workflow = sequence(size, folder.path);
    begin();
    await finish(workflow);
  },
  /** Of a run that was stopped after half of its tasks, until the next task begins. */
  async resume() {
    const stop = new AbortController();
    let done = 0;
    const { runId } = await runWorkflow(sequence(size, folder.path), {
      input: {},
      signal: stop.signal,
      onProgress(event) {
        if (event.type === "NodeFinished" && ++done === size / 2)
          stop.abort(new ServiceError("PROCESS_ABORTED", "half is enough"));
      },
    });
    keepLog();
    const workflow = sequence(size, folder.path, end);
    begin();
    await runWorkflow(workflow, { runId, resume: true });
  },
};
countStatements();
await cases[name]();
end();
