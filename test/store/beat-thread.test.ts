import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import { firstLease, newRun, schemas, T0 } from "../conformance/store/fixtures.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { quietDb } from "../support/quiet-store.js";

const EVERY_MS = 20;
/** Given up after so long, however busy the machine is. */
const PATIENCE_MS = 60_000;

function openRun() {
  const { store } = quietDb({ path: join(temporaryFolder(), "service.db"), schemas });
  onTestFinished(() => store.close());
  store.createRun(newRun());
  const beatOf = () => store.getRun("run-1")?.heartbeatAtMs;
  return {
    store,
    beatOf,
    /** Blocks this thread until the condition holds. */
    blockUntil(condition: () => boolean) {
      const since = Date.now();
      while (!condition() && Date.now() - since < PATIENCE_MS);
    },
  };
}

it("writes heartbeats while the process's own thread is blocked", () => {
  const { store, beatOf, blockUntil } = openRun();
  const beat = store.beatWhileBlocked(firstLease, EVERY_MS);
  blockUntil(() => beatOf() !== T0);
  const first = beatOf() as number;
  expect(first).toBeGreaterThan(T0);
  blockUntil(() => beatOf() !== first);
  expect(beatOf()).toBeGreaterThan(first);
  beat.end();
});

it("leaves a run alone that another process has claimed", () => {
  const { store, beatOf, blockUntil } = openRun();
  const own = store.beatWhileBlocked(firstLease, EVERY_MS);
  store.createRun(newRun({ runId: "run-2" }));
  const other = store.beatWhileBlocked({ ...firstLease, runId: "run-2" }, EVERY_MS);
  const claim = () => {
    // The thread may write between the look and the claim.
    const expected = { epoch: 1, ownerId: "owner-1", heartbeatAtMs: beatOf() ?? null };
    try {
      store.claimRun({ runId: "run-1", ownerId: "owner-2", nowMs: T0 + 1, expected });
      return true;
    } catch (error) {
      if (ServiceError.is(error, "RUN_RESUME_CLAIM_FAILED")) return false;
      throw error;
    }
  };
  blockUntil(claim);
  // Both are seen to in one round, in this order.
  const before = store.getRun("run-2")?.heartbeatAtMs;
  blockUntil(() => store.getRun("run-2")?.heartbeatAtMs !== before);
  expect(beatOf()).toBe(T0 + 1);
  own.end();
  other.end();
});
