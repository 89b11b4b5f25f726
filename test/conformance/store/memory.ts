import { describe, expect, it } from "vitest";
import type { MemoryMessage } from "../../../src/model/memory.js";
import type { FactWrite } from "../../../src/store/memory-records.js";
import { codeOf, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const namespace = "workflow:essay";

const fact = (key: string, value: string, overrides: Partial<FactWrite> = {}): FactWrite => {
  return { namespace, key, valueJson: JSON.stringify(value), nowMs: T0, ...overrides };
};

const message = (id: string, text: string): MemoryMessage => {
  return { id, threadId: "t", role: "user", contentJson: JSON.stringify(text), createdAtMs: T0 };
};

/** What is remembered beyond runs. */
export function memory(scenario: StoreScenario): void {
  async function openThread() {
    const { memory: records } = await scenario.open();
    await records.createThread({ threadId: "t", namespace, createdAtMs: T0, updatedAtMs: T0 });
    for (const id of ["1", "2", "3"]) await records.saveMessage(message(id, id));
    return records;
  }

  describe("memory", () => {
    it("replaces a fact, answers with the stored one, and forgets it", async () => {
      const { memory: records } = await scenario.open();
      await records.setFact(fact("tone", "dry"));
      const stored = await records.setFact(fact("tone", "warm", { nowMs: T0 + 1 }));
      expect(stored).toMatchObject({ valueJson: '"warm"', createdAtMs: T0, updatedAtMs: T0 + 1 });
      const address = { namespace, key: "tone" };
      expect(await records.getFact(address, T0 + 1)).toEqual(stored);
      expect(await records.deleteFact(address, T0 + 1)).toBe(true);
      expect(await records.deleteFact(address, T0 + 1)).toBe(false);
    });

    it("keeps one value of a fact that several write at the same time", async () => {
      const handles = await Promise.all([scenario.open(), scenario.open(), scenario.open()]);
      await Promise.all(handles.map((store, index) => store.memory.setFact(fact("tone", `${index}`))));
      expect(await handles[0]?.memory.listFacts({ namespace, nowMs: T0 })).toHaveLength(1);
    });

    it("counts what it deletes of the facts whose time is over", async () => {
      const { memory: records } = await scenario.open();
      await records.setFact(fact("brief", "x", { ttlMs: 10 }));
      await records.setFact(fact("lasting", "y"));
      expect(await records.deleteExpiredFacts(T0 + 9)).toBe(0);
      expect(await records.deleteExpiredFacts(T0 + 10)).toBe(1);
      const left = await records.listFacts({ namespace, nowMs: T0 });
      expect(left.map(({ key }) => key)).toEqual(["lasting"]);
    });

    it("has the vector of each fact in a page of them, or among the nearest", async () => {
      const { memory: records } = await scenario.open();
      const vectors = { up: [1, 0], down: [-1, 0], aside: [0, 1 / 3] };
      const of = { namespace, model: "m", nowMs: T0, limit: 5 };
      for (const key of Object.keys(vectors)) await records.setFact(fact(key, key));
      const known = await records.pageVectors({ ...of, length: 2 });
      expect(known.map((found) => [found.fact.key, found.vector])).toEqual([
        ["aside", undefined],
        ["down", undefined],
        ["up", undefined],
      ]);
      const made = known.map(({ factNo, revision, fact: { key } }) => {
        const vector = Float32Array.from(vectors[key as keyof typeof vectors]);
        return { factNo, revision, model: "m", vector };
      });
      await records.keepVectors(made);
      await records.setFact(fact("down", "another value"));
      const page = await records.pageVectors({ ...of, length: 2 });
      const nearest = await records.nearestVectors({ ...of, question: Float32Array.from([1, 0]) });
      const found = [...page, ...nearest].map(({ fact: { key }, vector }) => [key, vector && [...vector]]);
      expect(new Map(found as [string, number[]][])).toEqual(
        new Map<string, number[] | undefined>([
          ["aside", [...Float32Array.from(vectors.aside)]],
          ["down", undefined],
          ["up", vectors.up],
        ]),
      );
      expect(found).toHaveLength(3);
    });

    it("finds facts by their words", async () => {
      const { memory: records } = await scenario.open();
      await records.setFact(fact("tea", "green leaves from Uji"));
      await records.setFact(fact("coffee", "beans from Kona"));
      const found = await records.search({ namespace, text: "leaves", limit: 5, nowMs: T0 });
      expect(found.map((hit) => hit.fact.key)).toEqual(["tea"]);
    });

    it("replaces messages of a thread, all or none", async () => {
      const records = await openThread();
      expect(await records.replaceMessages("t", ["1", "gone"], message("s", "summary"))).toBe(false);
      expect(await records.countMessages("t")).toBe(3);
      expect(await records.replaceMessages("t", ["1", "2"], message("s", "summary"))).toBe(true);
      const left = await records.listMessages({ threadId: "t" });
      expect(left.map(({ id }) => id)).toEqual(["s", "3"]);
    });

    it("deletes a thread with its messages, and refuses more of them", async () => {
      const records = await openThread();
      expect(await records.deleteThread("t")).toBe(true);
      expect(await records.countMessages("t")).toBe(0);
      expect(await codeOf(() => records.saveMessage(message("4", "late")))).toBe("MEMORY_THREAD_NOT_FOUND");
    });
  });
}
