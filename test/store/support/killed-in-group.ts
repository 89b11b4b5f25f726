import type { RunWrite } from "../../../src/store/contract.js";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { node, schemas, step } from "../../conformance/store/fixtures.js";

/** Writes a step of several runs together, and dies when the last of them is being written. */
const [path = "", ...runIds] = process.argv.slice(2);
const { store } = createSqliteDb({ path, schemas });
const writes = runIds.map((runId, index): RunWrite => {
  const commit = step({
    lease: { runId, ownerId: "owner-1", epoch: 1 },
    run: { frameNo: 1 },
    nodes: [node("n")],
  });
  if (index < runIds.length - 1) return { type: "commit", commit };
  // Read while the statements of this run are made: the fences of those before it have changed their runs by then.
  Object.defineProperty(commit, "nodes", { get: () => process.kill(process.pid, "SIGKILL") });
  return { type: "commit", commit };
});
store.writeTogether(writes);
process.stdout.write("survived");
