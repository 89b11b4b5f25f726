import { describe, expect, it } from "vitest";
import { codeOf, firstLease, newRun, step, T0 } from "./fixtures.js";
import type { RunRow } from "../../../src/model/run.js";
import type { StoreScenario } from "./scenario.js";

const expected = { epoch: 1, ownerId: "owner-1", heartbeatAtMs: T0 };

export function leases(scenario: StoreScenario): void {
  describe("leases", () => {
    it("go to one of several claimants that read the same row", async () => {
      const handles = await Promise.all([1, 2, 3, 4].map(() => scenario.open()));
      await handles[0]?.createRun(newRun());
      const outcomes = await Promise.all(
        handles.map((store, index) =>
          codeOf(() =>
            store.claimRun({ runId: "run-1", ownerId: `claimant-${index}`, nowMs: T0 + 5, expected }),
          ),
        ),
      );
      expect(outcomes.filter((code) => code === undefined)).toHaveLength(1);
      expect(outcomes.filter((code) => code === "RUN_RESUME_CLAIM_FAILED")).toHaveLength(3);
      expect(await handles[0]?.getRun("run-1")).toMatchObject({ epoch: 2, heartbeatAtMs: T0 + 5 });
    });

    it("carry the epoch that the claim wrote", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const lease = await store.claimRun({ runId: "run-1", ownerId: "owner-2", nowMs: T0, expected });
      expect(lease).toEqual({ runId: "run-1", ownerId: "owner-2", epoch: 2 });
      await store.commit(step({ lease, run: { frameNo: 3 } }));
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: "owner-2", epoch: 2, frameNo: 3 });
    });

    it("say how many owners in a row have died, until one releases them", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const claim = async (isAfterDeath: boolean) => {
        const run = (await store.getRun("run-1")) as RunRow;
        const { epoch, ownerId, heartbeatAtMs } = run;
        const read = { epoch, ownerId, heartbeatAtMs };
        return store.claimRun({
          runId: "run-1",
          ownerId: `o${epoch}`,
          nowMs: T0,
          expected: read,
          isAfterDeath,
        });
      };
      await claim(true);
      let lease = await claim(true);
      expect(await store.getRun("run-1")).toMatchObject({ deaths: 2 });
      await store.commit(step({ lease, run: { release: "dying" } }));
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: null, deaths: 3 });
      lease = await claim(false);
      await store.commit(step({ lease, run: { release: true } }));
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: null, deaths: 0 });
    });

    it.each([true, "dying"] as const)(
      "are given up (%s) by a commit that forgets lost starts as well",
      async (release) => {
        const store = await scenario.open();
        await store.createRun(newRun());
        const claim = { runId: "run-1", ownerId: "owner-2", nowMs: T0, expected, inCompany: false };
        const lease = await store.claimRun(claim);
        expect(await store.getRun("run-1")).toMatchObject({ lostStarts: 1 });
        await store.commit(step({ lease, run: { status: "waiting-event", lostStarts: 0, release } }));
        const after = { ownerId: null, status: "waiting-event", lostStarts: 0 };
        expect(await store.getRun("run-1")).toMatchObject(after);
      },
    );

    it("count the processes in a row that took them up alone and wrote nothing", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      let now = T0;
      const claim = async (inCompany?: boolean) => {
        const { epoch, ownerId, heartbeatAtMs } = (await store.getRun("run-1")) ?? expected;
        const read = { epoch, ownerId, heartbeatAtMs };
        now += 1;
        const taken = { runId: "run-1", ownerId: `o${now}`, nowMs: now, expected: read };
        return store.claimRun({ ...taken, ...(inCompany !== undefined && { inCompany }) });
      };
      const lostStarts = async () => (await store.getRun("run-1"))?.lostStarts;
      await claim(false);
      await claim(false);
      expect(await lostStarts()).toBe(2);
      // Beside others, or for something else than to drive it.
      await claim(true);
      await claim();
      expect(await lostStarts()).toBe(2);
      // Others came to it.
      await store.noteCompany(await claim(false));
      expect(await lostStarts()).toBe(2);
      const lease = await claim(false);
      await store.commit(step({ lease, run: { lostStarts: 0 } }));
      expect(await lostStarts()).toBe(0);
      await store.releaseLease(await claim(false));
      expect(await lostStarts()).toBe(0);
    });

    it("that are given back to an owner who has died do not count that death twice", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const claim = { runId: "run-1", ownerId: "o2", nowMs: T0 + 1, expected, isAfterDeath: true };
      const lease = await store.claimRun({ ...claim, inCompany: true });
      await store.releaseLease(lease, { ownerId: "owner-1", heartbeatAtMs: T0, inCompany: false });
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: "owner-1", deaths: 0, inCompany: false });
    });

    it("say whether others are at work beside them, as their owner has it", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const stale = { runId: "run-1", ownerId: "owner-1", epoch: 1 };
      expect(await store.noteCompany(stale)).toBe(true);
      expect(await store.getRun("run-1")).toMatchObject({ inCompany: true });
      const claim = { runId: "run-1", ownerId: "o2", nowMs: T0, expected };
      await store.claimRun({ ...claim, inCompany: false });
      expect(await store.getRun("run-1")).toMatchObject({ inCompany: false });
      expect(await store.noteCompany(stale)).toBe(false);
      expect(await store.getRun("run-1")).toMatchObject({ inCompany: false });
    });

    it("can be claimed where no process holds them", async () => {
      const store = await scenario.open();
      await store.createRun(newRun({ ownerId: null }));
      const free = { epoch: 0, ownerId: null, heartbeatAtMs: null };
      const lease = await store.claimRun({ runId: "run-1", ownerId: "owner-9", nowMs: T0, expected: free });
      expect(lease.epoch).toBe(1);
      expect(
        await codeOf(() => store.claimRun({ runId: "run-1", ownerId: "owner-8", nowMs: T0, expected: free })),
      ).toBe("RUN_RESUME_CLAIM_FAILED");
    });

    it.each([
      ["epoch", { ...expected, epoch: 0 }],
      ["owner", { ...expected, ownerId: null }],
      ["heartbeat", { ...expected, heartbeatAtMs: T0 - 1 }],
    ])("are not given to a claimant that read another %s", async (_what, stale) => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect(
        await codeOf(() => store.claimRun({ runId: "run-1", ownerId: "x", nowMs: T0, expected: stale })),
      ).toBe("RUN_RESUME_CLAIM_FAILED");
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: "owner-1", epoch: 1 });
    });

    it("are refused for a run that does not exist", async () => {
      const store = await scenario.open();
      expect(await codeOf(() => store.claimRun({ runId: "none", ownerId: "x", nowMs: T0, expected }))).toBe(
        "RUN_RESUME_CLAIM_FAILED",
      );
    });

    it("are kept alive by heartbeats of their holder only", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect(await store.heartbeat(firstLease, T0 + 1000)).toBe(true);
      expect(await store.heartbeat({ ...firstLease, epoch: 2 }, T0 + 2000)).toBe(false);
      expect(await store.heartbeat({ ...firstLease, ownerId: "other" }, T0 + 2000)).toBe(false);
      expect(await store.getRun("run-1")).toMatchObject({ heartbeatAtMs: T0 + 1000 });
    });

    it("end by release, which keeps the status and fences the former holder", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect(await store.releaseLease(firstLease)).toBe(true);
      expect(await store.releaseLease(firstLease)).toBe(false);
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: null, epoch: 1, status: "running" });
      expect(await codeOf(() => store.commit(step({ run: { frameNo: 1 } })))).toBe("RUN_RESUME_CLAIM_LOST");
      expect(await store.heartbeat(firstLease, T0 + 1)).toBe(false);
    });

    it("end with a commit that releases them", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ run: { status: "waiting-timer", release: true } }));
      expect(await store.getRun("run-1")).toMatchObject({ ownerId: null, status: "waiting-timer" });
      expect(await codeOf(() => store.commit(step()))).toBe("RUN_RESUME_CLAIM_LOST");
    });
  });
}
