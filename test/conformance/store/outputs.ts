import type { OutputRow } from "../../../src/model/schema.js";
import { describe, expect, it } from "vitest";
import { codeOf, draft, newRun, node, step } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function outputs(scenario: StoreScenario): void {
  describe("output rows", () => {
    it("come back as the codec decodes them, with an address that does not show", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const codec = store.codec("reviewNotes");
      const value = { approved: false, when: new Date(86_400_000), tags: ["a", "b"] };
      const columns = codec.encode(value);
      await store.commit(
        step({ outputs: [{ outputKey: "reviewNotes", nodeId: "n", iteration: 2, columns }] }),
      );
      const row = await store.getOutput("run-1", "reviewNotes", "n", 2);
      expect(row).toEqual(value);
      expect(row).toEqual(codec.decode(columns, { runId: "run-1", nodeId: "n", iteration: 2 }));
      expect([row?.runId, row?.nodeId, row?.iteration]).toEqual(["run-1", "n", 2]);
      expect(Object.keys(row ?? {})).toEqual(["approved", "when", "tags"]);
    });

    it("are overwritten by a second write to the same address", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ outputs: [draft(store, "a", { text: "one", words: 1 })] }));
      await store.commit(step({ outputs: [draft(store, "a", { text: "two", words: 2 })] }));
      expect(await store.listOutputs("run-1", "draft")).toEqual([{ text: "two", words: 2 }]);
    });

    it("are listed in order of completion, not of address", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const finish = (nodeId: string, finishedSeq: number, iteration = 0) =>
        step({
          nodes: [node(nodeId, { iteration, state: "finished", finishedSeq })],
          outputs: [draft(store, nodeId, { text: `${nodeId}${iteration}`, words: 1 }, iteration)],
        });
      await store.commit(finish("z", 3));
      await store.commit(finish("a", 8, 1));
      await store.commit(finish("m", 5));
      await store.commit(finish("a", 4));
      const texts = (rows: readonly OutputRow[]) =>
        rows.map((row) => (row as Partial<{ text: string }>).text);
      expect(texts(await store.listOutputs("run-1", "draft"))).toEqual(["z0", "a0", "m0", "a1"]);
      const runSnapshot = await store.loadRun("run-1");
      expect(texts(runSnapshot?.outputs.map(({ row }) => row) ?? [])).toEqual(["z0", "a0", "m0", "a1"]);
    });

    it("of nodes that never ran come first: they were there before the run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(
        step({
          nodes: [node("a", { state: "finished", finishedSeq: 0 })],
          outputs: [
            draft(store, "a", { text: "ran", words: 1 }),
            draft(store, "seed", { text: "seeded", words: 1 }),
          ],
        }),
      );
      expect((await store.listOutputs("run-1", "draft")).map(({ text }) => text)).toEqual(["seeded", "ran"]);
    });

    it("go away when a reset removes them", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const both = [
        draft(store, "a", { text: "x", words: 1 }),
        draft(store, "a", { text: "y", words: 1 }, 1),
      ];
      await store.commit(step({ outputs: both }));
      await store.commit(step({ removedOutputs: [{ outputKey: "draft", nodeId: "a", iteration: 0 }] }));
      expect(await store.getOutput("run-1", "draft", "a", 0)).toBeUndefined();
      expect(await store.getOutput("run-1", "draft", "a", 1)).toEqual({ text: "y", words: 1 });
    });

    it("may be removed and written in one step", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ outputs: [draft(store, "a", { text: "old", words: 1 })] }));
      await store.commit(
        step({
          removedOutputs: [{ outputKey: "draft", nodeId: "a", iteration: 0 }],
          outputs: [draft(store, "a", { text: "new", words: 1 })],
        }),
      );
      expect(await store.getOutput("run-1", "draft", "a", 0)).toEqual({ text: "new", words: 1 });
    });

    it("belong to one run each", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2" }));
      await store.commit(step({ outputs: [draft(store, "a", { text: "mine", words: 1 })] }));
      expect(await store.listOutputs("run-2", "draft")).toEqual([]);
    });

    it("are found without naming their output", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ outputs: [draft(store, "a", { text: "x", words: 1 })] }));
      expect(await store.readOutput("run-1", "a", 0)).toEqual({ text: "x", words: 1 });
      expect(await store.readOutput("run-1", "a", 1)).toBeUndefined();
    });

    it("of an output that the workflow does not have are refused with the outputs it has", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const unknown = { outputKey: "poem", nodeId: "a", iteration: 0 };
      for (const call of [
        () => store.codec("poem"),
        () => store.listOutputs("run-1", "poem"),
        () => store.getOutput("run-1", "poem", "a", 0),
        () => store.commit(step({ outputs: [{ ...unknown, columns: [] }] })),
        () => store.commit(step({ removedOutputs: [unknown] })),
      ]) {
        expect(await codeOf(call)).toBe("UNKNOWN_OUTPUT_SCHEMA");
      }
      await expect(async () => store.codec("poem")).rejects.toThrow(/"draft", "reviewNotes"/);
    });

    it("are described by key, table and columns", async () => {
      const store = await scenario.open();
      expect(await store.listOutputTables()).toEqual([
        {
          outputKey: "draft",
          tableName: "draft",
          columns: [
            { field: "text", column: "text", kind: "text" },
            { field: "words", column: "words", kind: "integer" },
          ],
        },
        {
          outputKey: "reviewNotes",
          tableName: "review_notes",
          columns: [
            { field: "approved", column: "approved", kind: "boolean" },
            { field: "when", column: "when", kind: "date" },
            { field: "tags", column: "tags", kind: "json" },
          ],
        },
      ]);
    });
  });
}
