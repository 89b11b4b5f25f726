import { describe, expect, it } from "vitest";
import type { Occurrence, OverlapPolicy, Schedule } from "../../../src/model/schedule.js";
import type { Store } from "../../../src/store/contract.js";
import { T0 } from "./fixtures.js";
import { occurrence, schedule } from "./host-fixtures.js";
import type { StoreScenario } from "./scenario.js";

const MINUTE = 60_000;

async function cover(store: Store, minute: number): Promise<boolean> {
  const seen = (await store.schedules.get("nightly")) as Schedule;
  const coveredUntilMs = T0 + minute * MINUTE;
  return store.schedules.cover({
    schedule: seen,
    coveredUntilMs,
    due: [occurrence(coveredUntilMs)],
    missed: [],
  });
}

async function states(store: Store): Promise<string[]> {
  return (await store.schedules.occurrences({ limit: 50 })).map(({ state }) => state).reverse();
}

async function fire(store: Store, minute: number): Promise<void> {
  const pending = (await store.schedules.occurrence("nightly", T0 + minute * MINUTE)) as Occurrence;
  await store.schedules.complete({ ...pending, state: "fired", settledAtMs: T0, input: null });
}

export function schedules(scenario: StoreScenario): void {
  describe("schedules", () => {
    it("keep every field; an id is given once", async () => {
      const store = await scenario.open();
      expect(await store.schedules.create(schedule)).toBe(true);
      expect(await store.schedules.create({ ...schedule, pattern: "* * * * *" })).toBe(false);
      const other = { ...schedule, cronId: "hourly", workflowKey: "poem", enabled: false };
      await store.schedules.create(other);
      expect(await store.schedules.get("nightly")).toEqual(schedule);
      expect(await store.schedules.get("none")).toBeUndefined();
      expect(await store.schedules.ids()).toEqual(["hourly", "nightly"]);
      expect(await store.schedules.get("hourly")).toEqual(other);
    });

    it("are changed and deleted, with their history; a change keeps the time that is covered unless it names another", async () => {
      const store = await scenario.open();
      await store.schedules.create(schedule);
      await cover(store, 1);
      const change = { ...schedule, pattern: "5 * * * *", updatedAtMs: T0 + 1 };
      const { coveredUntilMs: _, ...kept } = change;
      expect(await store.schedules.change(kept)).toBe(true);
      expect(await store.schedules.get("nightly")).toEqual({
        ...change,
        revision: 1,
        coveredUntilMs: T0 + MINUTE,
      });
      expect(await store.schedules.change(kept)).toBe(false);
      await store.schedules.change({ ...kept, revision: 1, coveredUntilMs: T0 + 7 });
      expect(await store.schedules.get("nightly")).toMatchObject({ revision: 2, coveredUntilMs: T0 + 7 });
      expect(await store.schedules.remove("nightly")).toBe(true);
      expect(await store.schedules.remove("nightly")).toBe(false);
      expect(await store.schedules.change(kept)).toBe(false);
      expect(await states(store)).toEqual([]);
    });

    it("are moved on by one of several who have seen the same", async () => {
      const [first, second] = [await scenario.open(), await scenario.open()];
      await first.schedules.create(schedule);
      const seen = (await first.schedules.get("nightly")) as Schedule;
      const due = occurrence(T0 + MINUTE);
      const step = { schedule: seen, coveredUntilMs: T0 + MINUTE, due: [due], missed: [] };
      const moved = await Promise.all([first.schedules.cover(step), second.schedules.cover(step)]);
      expect([...moved].sort()).toEqual([false, true]);
      expect(await second.schedules.occurrences({ limit: 9 })).toEqual([due]);
    });

    it("are not moved on by who has not seen their newest settings", async () => {
      const store = await scenario.open();
      await store.schedules.create(schedule);
      await store.schedules.change({ ...schedule, enabled: false });
      const due = occurrence(T0 + MINUTE);
      const stale = { schedule, coveredUntilMs: T0 + MINUTE, due: [due], missed: [due] };
      expect(await store.schedules.cover(stale)).toBe(false);
      expect(await store.schedules.cover({ ...stale, schedule: { ...schedule, revision: 1 } })).toBe(false);
      expect(await states(store)).toEqual([]);
    });

    it("record a time once, whatever the clocks do, and nothing for a schedule that is gone", async () => {
      const store = await scenario.open();
      await store.schedules.create({ ...schedule, overlap: "allow" });
      await cover(store, 1);
      await fire(store, 1);
      await cover(store, 1);
      expect(await states(store)).toEqual(["fired"]);
      const seen = (await store.schedules.get("nightly")) as Schedule;
      expect(await store.schedules.request(seen, occurrence(T0 + MINUTE))).toBe(false);
      expect(await store.schedules.request(seen, occurrence(T0 + 3, { trigger: "manual" }))).toBe(true);
      await store.schedules.remove("nightly");
      expect(await store.schedules.request(seen, occurrence(T0 + 4))).toBe(false);
    });

    it.each<[OverlapPolicy, string[]]>([
      ["skip", ["fired", "skipped-overlap", "skipped-overlap"]],
      ["queue", ["fired", "queued", "skipped-overlap"]],
      ["allow", ["fired", "pending", "pending"]],
    ])("decide with policy %s what overlaps", async (overlap, expected) => {
      const store = await scenario.open();
      await store.schedules.create({ ...schedule, overlap });
      await cover(store, 1);
      await fire(store, 1);
      await cover(store, 2);
      await cover(store, 3);
      expect(await states(store)).toEqual(expected);
      for (const row of await store.schedules.occurrences({ limit: 9 })) {
        const isSkipped = row.state === "skipped-overlap";
        expect(row.isOpen).toBe(!isSkipped);
        expect(row.input === null).toBe(isSkipped || row.state === "fired");
        expect(row.reason !== null && row.settledAtMs !== null && row.runId === null).toBe(isSkipped);
      }
    });

    it("release what is queued when nothing before it is open, and give it up when they are switched off", async () => {
      const store = await scenario.open();
      await store.schedules.create({ ...schedule, overlap: "queue" });
      await cover(store, 1);
      await cover(store, 2);
      expect(await store.schedules.release("nightly", T0 + 2 * MINUTE)).toBe(false);
      await fire(store, 1);
      expect(await store.schedules.release("nightly", T0 + 2 * MINUTE)).toBe(false);
      await store.schedules.closeOccurrence("nightly", T0 + MINUTE);
      expect(await store.schedules.release("nightly", T0 + 2 * MINUTE)).toBe(true);
      await cover(store, 3);
      await store.schedules.change({ ...schedule, enabled: false, updatedAtMs: T0 + 9 });
      expect(await states(store)).toEqual(["fired", "pending", "skipped-overlap"]);
      expect(await store.schedules.occurrence("nightly", T0 + 3 * MINUTE)).toMatchObject({
        isOpen: false,
        input: null,
        settledAtMs: T0 + 9,
      });
    });

    it("complete what is pending once, and forget what is old and over", async () => {
      const store = await scenario.open();
      await store.schedules.create({ ...schedule, overlap: "allow" });
      await cover(store, 1);
      await cover(store, 2);
      const error = { name: "ServiceError", code: "INVALID_INPUT", message: "no" };
      const failed = occurrence(T0 + MINUTE, {
        state: "failed",
        settledAtMs: T0 + 9,
        input: null,
        isOpen: false,
        error,
      });
      expect(await store.schedules.complete(failed)).toBe(true);
      expect(await store.schedules.complete({ ...failed, state: "fired" })).toBe(false);
      expect(await store.schedules.occurrence("nightly", T0 + MINUTE)).toEqual(failed);
      expect(await store.schedules.open()).toEqual([{ cronId: "nightly", scheduledAtMs: T0 + 2 * MINUTE }]);
      expect((await store.schedules.occurrences({ cronId: "other", limit: 9 })).length).toBe(0);
      await store.schedules.prune(T0 + 10 * MINUTE);
      expect(await states(store)).toEqual(["pending"]);
    });
  });
}
