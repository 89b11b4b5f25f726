import { describe, expect, it } from "vitest";
import type { EventBody } from "../../../src/model/events.js";
import { codeOf, events, firstLease, newRun, pending, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function eventLog(scenario: StoreScenario): void {
  describe("the event log", () => {
    it("gives events back with run, time and number", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(
        step({
          events: events(
            0,
            { type: "RunStarted", workflowName: "essay", resumed: false, ownerId: "owner-1" },
            { type: "NodeStarted", nodeId: "a", iteration: 2, attempt: 1 },
          ),
        }),
      );
      expect(await store.listEvents("run-1", { limit: 10 })).toEqual([
        {
          seq: 0,
          event: {
            type: "RunStarted",
            runId: "run-1",
            timestampMs: T0,
            workflowName: "essay",
            resumed: false,
            ownerId: "owner-1",
          },
        },
        {
          seq: 1,
          event: {
            type: "NodeStarted",
            runId: "run-1",
            timestampMs: T0 + 1,
            nodeId: "a",
            iteration: 2,
            attempt: 1,
          },
        },
      ]);
    });

    it("is the run's own, however large the number that it is asked for by", async () => {
      const store = await scenario.open();
      for (const runId of ["run-1", "run-2"]) {
        await store.createRun(newRun({ runId }));
        const log = events(0, { type: "RunFinished" }, { type: "RunFinished" });
        await store.commit(step({ lease: { ...firstLease, runId }, events: log }));
      }
      const seqs = async (runId: string, query: object) =>
        (await store.listEvents(runId, { limit: 9, ...query })).map(({ seq, event }) => [event.runId, seq]);
      const own = [
        ["run-1", 0],
        ["run-1", 1],
      ];
      for (const huge of [2 ** 27, 2 ** 27 + 1, 2 ** 30, Number.MAX_SAFE_INTEGER]) {
        expect(await seqs("run-1", { beforeSeq: huge })).toEqual(own);
        expect(await seqs("run-1", { beforeSeq: huge, descending: true })).toEqual(own.toReversed());
        expect(await seqs("run-1", { afterSeq: huge })).toEqual([]);
      }
      expect(await seqs("run-2", { beforeSeq: -5 })).toEqual([]);
      expect(await seqs("run-1", { afterSeq: -5 })).toEqual(own);
    });

    it("keeps nested, empty and unusual fields of an event", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const bodies: EventBody[] = [
        {
          type: "NodeFailed",
          nodeId: "weiß::\u0000",
          iteration: 0,
          attempt: 3,
          error: { name: "Error", message: "nope", details: { list: [null, 1, "x"] } },
        },
        { type: "NodeOutput", nodeId: "a", iteration: 0, attempt: 1, text: "", stream: "stderr" },
        { type: "NodeSkipped", nodeId: "a", iteration: 0, reason: undefined },
        { type: "RunFinished" },
        { type: "LoopAdvanced", loopId: "l", iteration: 4 },
      ];
      await store.commit(step({ events: events(0, ...bodies) }));
      const stored = await store.listEvents("run-1", { limit: 10 });
      const common = (seq: number) => ({ runId: "run-1", timestampMs: T0 + seq });
      expect(stored.map(({ event }) => event)).toEqual(
        bodies.map((body, seq) => ({ ...body, ...common(seq) })),
      );
      expect(Object.keys(stored[2]?.event ?? {})).not.toContain("reason");
    });

    it("keeps what stands around half a character", async () => {
      const store = await scenario.open();
      const runIds = ["…\udc00 tail", "\ud800é", "é\udc00"].map((text) => `run ${text}`);
      for (const runId of runIds) await store.createRun(newRun({ runId }));
      const found = await store.listRuns({ limit: 10 });
      // SQLite keeps three of the characters that stand for what is not known, for the three bytes of the half.
      const kept = found.map(({ runId }) => runId.replace(/\ufffd+/g, "\ufffd"));
      expect(kept.sort()).toEqual(["run …\ufffd tail", "run \ufffdé", "run é\ufffd"].sort());
    });

    it("advances the run's next number by itself", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ events: events(0, pending("a"), pending("b")) }));
      expect((await store.getRun("run-1"))?.nextSeq).toBe(2);
      await store.commit(step({ run: { nextSeq: 3 }, events: events(2, pending("c")) }));
      expect((await store.getRun("run-1"))?.nextSeq).toBe(3);
    });

    it.each([
      ["leave a gap after the log", events(2, pending("b"))],
      ["repeat a number", events(0, pending("b"))],
      ["leave a gap among themselves", [...events(1, pending("b")), ...events(3, pending("c"))]],
      ["run backwards", [...events(1, pending("b")), ...events(0, pending("c"))]],
    ])("refuses events that %s, and writes nothing", async (_what, wrong) => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ events: events(0, pending("a")) }));
      expect(await codeOf(() => store.commit(step({ run: { frameNo: 5 }, events: wrong })))).toBe(
        "INTERNAL_ERROR",
      );
      expect(await store.getRun("run-1")).toMatchObject({ nextSeq: 1, frameNo: 0 });
      await store.commit(step({ events: events(1, pending("b")) }));
      expect((await store.listEvents("run-1", { limit: 10 })).map(({ seq }) => seq)).toEqual([0, 1]);
    });

    it("refuses a stated next number that the events contradict", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const wrong = step({ run: { nextSeq: 9 }, events: events(0, pending("a")) });
      expect(await codeOf(() => store.commit(wrong))).toBe("INTERNAL_ERROR");
    });

    it("is read from a number on, by type, by node, backwards and in pages", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "other" }));
      await store.commit(
        step({
          events: events(0, pending("a"), pending("b"), { type: "RunFinished" }, pending("a"), pending("c")),
        }),
      );
      const seqs = async (query: object) =>
        (await store.listEvents("run-1", { limit: 100, ...query })).map(({ seq }) => seq);
      expect(await seqs({})).toEqual([0, 1, 2, 3, 4]);
      expect(await seqs({ afterSeq: 2 })).toEqual([3, 4]);
      expect(await seqs({ limit: 2 })).toEqual([0, 1]);
      expect(await seqs({ descending: true, limit: 2 })).toEqual([4, 3]);
      expect(await seqs({ types: ["RunFinished"] })).toEqual([2]);
      expect(await seqs({ types: [] })).toEqual([]);
      expect(await seqs({ nodeId: "a" })).toEqual([0, 3]);
      expect(await seqs({ nodeId: "a", types: ["NodePending"], afterSeq: 0 })).toEqual([3]);
      expect(await store.listEvents("other", { limit: 10 })).toEqual([]);
    });
  });
}
