import { expect, it } from "vitest";
import { OutputIndex } from "../../../src/engine/view/outputs.js";
import { MemoryRows } from "./support/memory-rows.js";

const store = new MemoryRows();

it("counts the rows that earlier runs of a chain keep before the first one of this run, too", () => {
  const outputs = new OutputIndex(store, { note: { a: 3 } });
  expect(["a", "b"].map((id) => outputs.count("note", id))).toEqual([3, 0]);
  outputs.set("note", { runId: "run", nodeId: "a", iteration: 7 });
  expect(outputs.count("note", "a")).toBe(4);
});

it("counts no rows of a task whose name is that of what every object has", () => {
  const outputs = new OutputIndex(store, { draft: { writer: 2 } });
  expect(outputs.count("draft", "writer")).toBe(2);
  expect(outputs.count("draft", "constructor")).toBe(0);
});
