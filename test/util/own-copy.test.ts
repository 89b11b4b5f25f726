import { expect, it } from "vitest";
import { ownCopy } from "../../src/util/own-copy.js";

it("a copy of a record shares no data with it, whatever its members are called", () => {
  const record = { list: [{ n: 1 }], when: new Date(0), text: "a", ["__proto__"]: { n: 1 } };
  const copy = ownCopy(record);
  expect(Object.entries(copy)).toEqual(Object.entries(record));
  copy.list.push({ n: 2 });
  copy.when.setTime(1);
  for (const [name, value] of Object.entries(copy)) if (name === "__proto__") Object.assign(value, { n: 2 });
  expect(Object.entries(record)).toEqual([
    ["list", [{ n: 1 }]],
    ["when", new Date(0)],
    ["text", "a"],
    ["__proto__", { n: 1 }],
  ]);
});

it("what is no data is shared", () => {
  const record = { tools: { run: () => 1 } };
  expect(ownCopy(record).tools).toBe(record.tools);
});
