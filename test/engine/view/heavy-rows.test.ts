import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { OutputIndex } from "../../../src/engine/view/outputs.js";
import type { OutputRow } from "../../../src/model/schema.js";
import { MemoryRows } from "./support/memory-rows.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Almost a megabyte, with the names of the row's members: four of ten are held. */
const LARGE = 2 ** 20 - 100;

function rowOf(nodeId: string, length: number): OutputRow {
  return { runId: "run", nodeId, iteration: 0, text: `${nodeId} `.padEnd(length, "x") } as OutputRow;
}

/** Ten rows of that length, which the database has. */
async function tenRows(store: MemoryRows, length: number): Promise<OutputIndex> {
  const outputs = new OutputIndex(store);
  for (let n = 0; n < 10; n += 1) {
    const row = rowOf(`task-${n}`, length);
    store.rows.set(row.nodeId, { ...row });
    outputs.set("note", row);
  }
  outputs.settle();
  // What packs rows works beside the run.
  await vi.waitFor(async () => {
    await turnOfLoop();
    collectGarbage();
    store.reads = 0;
    expect(textsOf(outputs)).toHaveLength(10);
    expect(store.reads).toBe(length === LARGE ? 6 : 0);
  });
  return outputs;
}

function textsOf(outputs: OutputIndex): unknown[] {
  return Array.from({ length: 10 }, (_, n) => {
    const row = outputs.latest("note", `task-${n}`) as unknown as { text: string };
    return row.text.slice(0, 6);
  });
}

const texts = Array.from({ length: 10 }, (_, n) => `task-${n}`);

it.each([true, false])(
  "holds the newest large rows, and reads older ones again, which it does not hold (database answers at once: %s)",
  async (answersAtOnce) => {
    const store = new MemoryRows({ answersAtOnce });
    const outputs = await tenRows(store, LARGE);
    expect(textsOf(outputs)).toEqual(texts);
    expect(outputs.latest("note", "task-0")).toMatchObject({ runId: "run", nodeId: "task-0", iteration: 0 });
    expect(outputs.all("note").map(({ nodeId }) => nodeId)).toEqual(texts);
  },
);

it("holds small rows", async () => {
  const outputs = await tenRows(new MemoryRows(), 1_000);
  expect(textsOf(outputs)).toEqual(texts);
});

it("lets no row go that may not be in the database yet", () => {
  const outputs = new OutputIndex(new MemoryRows());
  for (let n = 0; n < 10; n += 1) outputs.set("note", rowOf(`task-${n}`, LARGE));
  collectGarbage();
  expect(textsOf(outputs)).toEqual(texts);
});

it("knows without reading it whether there is a row", async () => {
  const store = new MemoryRows();
  const outputs = await tenRows(store, LARGE);
  store.reads = 0;
  expect([outputs.has("note", "task-0", 0), outputs.has("note", "task-0", 1)]).toEqual([true, false]);
  expect(outputs.count("note", "task-0")).toBe(1);
  expect(store.reads).toBe(0);
});

it("says which row another process has removed meanwhile", async () => {
  const store = new MemoryRows();
  const outputs = await tenRows(store, LARGE);
  store.rows.clear();
  await turnOfLoop();
  collectGarbage();
  expect(() => outputs.latest("note", "task-0")).toThrow(
    expect.objectContaining({
      code: "STORAGE_ERROR",
      summary: expect.stringContaining("row of task task-0"),
    }),
  );
});
