import { expect, it } from "vitest";
import type { Intent } from "../../src/model/intent.js";
import { firstLease, newRun, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

const hijack = (action: "take" | "release"): Intent => ({
  kind: "hijack",
  nodeId: "a",
  iteration: 0,
  action,
});

it("a wish to take over an agent goes with the run that fails, and a failed run takes no other; what is given back it keeps", () => {
  const store = openStore(databasePath(), {});
  store.prepare();
  store.createRun(newRun());
  const { runId } = firstLease;
  const send = (action: "take" | "release") =>
    store.submitIntent({ runId, intent: hijack(action), createdAtMs: 1 });
  expect([send("take"), send("release")]).not.toContain(undefined);
  store.commit(step({ run: { status: "failed" } }));
  expect(store.pendingIntents(runId)).toMatchObject([{ intent: hijack("release") }]);
  expect(send("take")).toBeUndefined();
  expect(send("release")).toBeDefined();
});
