import { expect, it } from "vitest";
import { findResumable } from "../../../src/operations/read/find-resumable.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { newRun, step, T0 } from "../../conformance/store/fixtures.js";
import { databasePath, openStore } from "../../store/support/database.js";

it("the run to continue is found however many newer ones have finished", async () => {
  const store = openStore(databasePath(), {});
  const ids = ["waiting", ...Array.from({ length: 120 }, (_, index) => `done-${index}`)];
  store.writeTogether(
    ids.map((runId, at) => ({ type: "create", run: newRun({ runId, input: {}, nowMs: T0 + at }) })),
  );
  store.writeTogether(
    ids.map((runId) => ({
      type: "commit",
      commit: step({
        lease: { runId, ownerId: "owner-1", epoch: 1 },
        run: { status: runId === "waiting" ? "waiting-event" : "finished", release: true },
      }),
    })),
  );
  const found = await findResumable(new ServiceDb(store), { reference: undefined, hasFile: true });
  expect(found.runId).toBe("waiting");
});
