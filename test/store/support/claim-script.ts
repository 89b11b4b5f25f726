import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import { firstLease, newRun, schemas, step } from "../../conformance/store/fixtures.js";

/**
 * One of several processes that start at the same time: opens the database,
 * which may not exist yet, creates every run that is not there, and claims
 * each. Prints how many claims it won.
 */
const [path = "", owner = "", runCount = "0"] = process.argv.slice(2);
const { store } = createSqliteDb({ path, schemas, synchronous: "normal" });

async function tolerate(code: string, call: () => unknown): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (ServiceError.is(error, code)) return false;
    throw error;
  }
}

let won = 0;
for (let index = 0; index < Number(runCount); index += 1) {
  const runId = `run-${index}`;
  await tolerate("RUN_EXISTS", () => store.createRun(newRun({ runId, ownerId: null })));
  const expected = { epoch: 0, ownerId: null, heartbeatAtMs: null };
  if (
    !(await tolerate("RUN_RESUME_CLAIM_FAILED", () =>
      store.claimRun({ runId, ownerId: owner, nowMs: 1, expected }),
    ))
  )
    continue;
  won += 1;
  await store.commit(step({ lease: { ...firstLease, runId, ownerId: owner }, run: { frameNo: 1 } }));
}
await store.close();
process.stdout.write(String(won));
