import { expect, it, vi } from "vitest";
import { hijackRun } from "../../src/operations/hijack-run.js";
import { ServiceDb } from "../../src/store/service-db.js";
import { firstLease, newRun, node, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "../store/support/database.js";

it("a request to take over that arrives as the run fails ends at once", async () => {
  const store = openStore(databasePath(), {});
  store.prepare();
  store.createRun(newRun());
  store.commit(step({ nodes: [node("a", { state: "in-progress" })] }));
  const { runId } = firstLease;
  vi.spyOn(store, "submitIntent").mockImplementationOnce(() => {
    store.sql.all("UPDATE _service_runs SET status = 'failed' WHERE run_id = ? RETURNING run_no", [runId]);
    return 1;
  });
  await expect(
    hijackRun(new ServiceDb(store), { runId, nodeId: "a", timeoutMs: 30_000 }),
  ).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
});
