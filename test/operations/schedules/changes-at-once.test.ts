import { expect, it } from "vitest";
import { createSchedule, updateSchedule } from "../../../src/operations/schedules/change-schedules.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { databasePath, openStore } from "../../store/support/database.js";

it("a change of a schedule takes nothing back that another process has changed at the same moment", async () => {
  const store = openStore(databasePath(), {});
  const db = new ServiceDb(store);
  const cronId = "nightly";
  await createSchedule(db, { cronId, workflowKey: "report", pattern: "0 2 * * *", createdBy: "ada" });
  await Promise.all([
    updateSchedule(db, { cronId, enabled: false }),
    updateSchedule(db, { cronId, input: { topic: "tea" } }),
    updateSchedule(db, { cronId, overlap: "queue" }),
  ]);
  const wanted = { enabled: false, input: { topic: "tea" }, overlap: "queue", revision: 3 };
  expect(store.schedules.get(cronId)).toMatchObject(wanted);
});
