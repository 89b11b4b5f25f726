import pg from "pg";
import { report, timed } from "./report.js";

// node bench/samples/postgres-floor.js URL TASKS [BEFORE]: the durable facts of that many tasks, by the client that treadle uses: a
// transaction each, prepared statements, sent in one go; after so many times as many.
const [url, tasks, before = "0"] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url, pipeline: true });
await client.connect();
await client.query(`
  CREATE TABLE output (run_id TEXT, node_id TEXT, iteration BIGINT, n FLOAT8, PRIMARY KEY (run_id, node_id, iteration));
  CREATE TABLE nodes (run_id TEXT, node_id TEXT, iteration BIGINT, state TEXT, attempt BIGINT, updated_at BIGINT,
    PRIMARY KEY (run_id, node_id, iteration));
  CREATE TABLE attempts (run_id TEXT, node_id TEXT, iteration BIGINT, attempt BIGINT, state TEXT, started_at BIGINT,
    finished_at BIGINT, PRIMARY KEY (run_id, node_id, iteration, attempt));
  CREATE TABLE events (run_id TEXT, seq BIGINT, at BIGINT, type TEXT, payload TEXT, PRIMARY KEY (run_id, seq));
`);
const event = { name: "event", text: "INSERT INTO events VALUES ($1, $2, $3, $4, $5)" };

function write(id, n) {
  const now = Date.now();
  const payload = JSON.stringify({ nodeId: id, iteration: 0, attempt: 1 });
  const statements = [
    "BEGIN",
    { name: "output", text: "INSERT INTO output VALUES ($1, $2, 0, $3)", values: ["run", id, n] },
    {
      name: "node",
      text: "INSERT INTO nodes VALUES ($1, $2, 0, 'finished', 1, $3)",
      values: ["run", id, now],
    },
    {
      name: "attempt",
      text: "INSERT INTO attempts VALUES ($1, $2, 0, 1, 'finished', $3, $4)",
      values: ["run", id, now, now],
    },
    { ...event, values: ["run", n * 2, now, "NodeStarted", payload] },
    { ...event, values: ["run", n * 2 + 1, now, "NodeFinished", payload] },
    "COMMIT",
  ];
  return Promise.all(statements.map((statement) => client.query(statement)));
}

const writeAll = async (from, to) => {
  for (let n = from; n < to; n += 1) await write(`task-${n}`, n);
};
const first = 20 + Number(before) * Number(tasks);
await writeAll(0, first);
report(await timed(() => writeAll(first, first + Number(tasks))));
await client.end();
