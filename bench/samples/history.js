import { createRequire } from "node:module";
import { scratch } from "../scratch.js";
import { finish, sequence } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/history.js kept|left-out: a sequence of 1,000, and the bytes that it adds to a database. Left out is
// every row that only the past is read from: frames, replaced rows, and the events that number the frames.
const Database = createRequire(import.meta.url)("better-sqlite3");
const HISTORY = /^INSERT INTO _service_(?:frames|node_history|output_history) /;
const EVENT = /^INSERT INTO _service_events /;

function leaveOut() {
  const db = new Database(":memory:");
  const prototype = Object.getPrototypeOf(db.prepare("SELECT 1"));
  db.close();
  const { run } = prototype;
  prototype.run = function (...values) {
    const isHistory =
      HISTORY.test(this.source) || (EVENT.test(this.source) && values.flat().includes("FrameCommitted"));
    return isHistory ? { changes: 1, lastInsertRowid: 0 } : run.apply(this, values);
  };
}

/** Of all pages that the database uses. */
function bytesOf(path) {
  const db = new Database(path, { readonly: true });
  const { bytes } = db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE").get();
  db.close();
  return bytes;
}

if (process.argv[2] === "left-out") leaveOut();
const folder = scratch();
await finish(sequence(1, folder.path));
const before = bytesOf(folder.path);
const workflow = sequence(1_000, folder.path);
const time = await timed(() => finish(workflow));
report({ ...time, bytes: bytesOf(folder.path) - before });
folder.dispose();
