import { describe, expect, it } from "vitest";
import { LeaseHold } from "../../../src/engine/session/lease-hold.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";

const lease = { runId: "run", ownerId: "me", epoch: 1 };
const STOPPED_MS = 15_000;

/** A hold on a run that another process takes over while this one is stopped, right after the database has answered. */
function stoppedAfterTheAnswer() {
  const clock = new VirtualClock(0);
  const lost: Error[] = [];
  let isTaken = false;
  const store = {
    heartbeat: () => {
      const answer = !isTaken;
      clock.moveTo(clock.now() + STOPPED_MS);
      isTaken = true;
      return answer;
    },
  };
  const hold = new LeaseHold({ store, clock, heartbeatMs: 1_000 }, lease, (error) => lost.push(error));
  return { clock, hold, lost };
}

describe("a process that is stopped right after the database has confirmed its lease", () => {
  it("asks again before it begins anything", () => {
    const { clock, hold, lost } = stoppedAfterTheAnswer();
    clock.moveTo(60_000);
    expect(hold.confirm()).toBe(false);
    expect(lost.map((error) => ServiceError.is(error, "RUN_RESUME_CLAIM_LOST"))).toEqual([true]);
  });

  it("takes a commit for proof of the time when it was asked for, not of the time when it continues", () => {
    const { clock, hold } = stoppedAfterTheAnswer();
    const askedAtMs = clock.now();
    clock.moveTo(askedAtMs + STOPPED_MS);
    hold.renew(askedAtMs);
    expect(hold.confirm()).toBe(false);
  });
});

describe("a lease that was confirmed just now", () => {
  it("is not asked about again", () => {
    const { clock, hold } = stoppedAfterTheAnswer();
    hold.renew(clock.now());
    clock.moveTo(clock.now() + 2_999);
    expect(hold.confirm()).toBe(true);
  });
});
