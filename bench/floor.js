import Database from "better-sqlite3";

/** A database with tables for the durable facts of tasks. */
export function openFloor(path) {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(`
    CREATE TABLE output (run_id TEXT, node_id TEXT, iteration INTEGER, n REAL, PRIMARY KEY (run_id, node_id, iteration));
    CREATE TABLE nodes (run_id TEXT, node_id TEXT, iteration INTEGER, state TEXT, attempt INTEGER, updated_at INTEGER,
      PRIMARY KEY (run_id, node_id, iteration));
    CREATE TABLE attempts (run_id TEXT, node_id TEXT, iteration INTEGER, attempt INTEGER, state TEXT, started_at INTEGER,
      finished_at INTEGER, PRIMARY KEY (run_id, node_id, iteration, attempt));
    CREATE TABLE events (run_id TEXT, seq INTEGER, at INTEGER, type TEXT, payload TEXT, PRIMARY KEY (run_id, seq));
  `);
  return db;
}

/**
 * The floor: raw better-sqlite3 writing the durable facts of `tasks` tasks, one
 * transaction each: an output row, a node row, an attempt row and two events. `from` = of how many there are some already.
 */
export function writeFloor(db, tasks, from = 0) {
  const output = db.prepare("INSERT INTO output VALUES (?, ?, 0, ?)");
  const node = db.prepare("INSERT INTO nodes VALUES (?, ?, 0, 'finished', 1, ?)");
  const attempt = db.prepare("INSERT INTO attempts VALUES (?, ?, 0, 1, 'finished', ?, ?)");
  const event = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?)");
  const write = db.transaction((id, n) => {
    const now = Date.now();
    const payload = JSON.stringify({ nodeId: id, iteration: 0, attempt: 1 });
    output.run("run", id, n);
    node.run("run", id, now);
    attempt.run("run", id, now, now);
    event.run("run", n * 2, now, "NodeStarted", payload);
    event.run("run", n * 2 + 1, now, "NodeFinished", payload);
  });
  for (let n = from; n < from + tasks; n += 1) write(`task-${n}`, n);
}
