import { describe, expect, it, vi } from "vitest";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

/** A store, and how durable each of its writes was asked to be. */
function watched() {
  const store = openStore(databasePath(), schemas);
  store.prepare();
  const write = vi.spyOn(store.sql, "write");
  return { store, levels: () => write.mock.calls.map(([, durability = "full"]) => durability) };
}

describe("what survives a power failure as soon as it is written", () => {
  it("is a run that no process drives yet: its maker gets that answer", () => {
    const { store, levels } = watched();
    store.createRun(newRun({ ownerId: null }));
    expect(levels()).toEqual(["full"]);
  });

  it("is the first commit of a run's owner, and with it the run, which was not reported before", () => {
    const { store, levels } = watched();
    store.createRun(newRun());
    store.commit(step());
    expect(levels()).toEqual(["relaxed", "full"]);
  });

  it("is the first commit of who has claimed a run, and with it the claim", () => {
    const { store, levels } = watched();
    store.createRun(newRun({ ownerId: null }));
    const expected = { ownerId: null, epoch: 0, heartbeatAtMs: null };
    const lease = store.claimRun({ runId: "run-1", ownerId: "b", nowMs: 2, expected });
    store.commit({ ...step(), lease });
    expect(levels()).toEqual(["full", "relaxed", "full"]);
  });
});
