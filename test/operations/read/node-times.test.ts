import { expect, it } from "vitest";
import type { NodeRow } from "../../../src/index.js";
import { timedNodes } from "../../../src/operations/read/node-times.js";

const a = { nodeId: "a", iteration: 0 };

it("nothing is at work after the last sign of life of a process that has died", () => {
  const attempts = [
    { ...a, startedAtMs: 100, finishedAtMs: 150 },
    { ...a, startedAtMs: 200, finishedAtMs: null },
  ];
  const [alive] = timedNodes([a as NodeRow], attempts, null);
  expect(alive).toMatchObject({ startedAtMs: 100, workedMs: 50, atWorkSinceMs: 200 });
  const [dead] = timedNodes([a as NodeRow], attempts, 230);
  expect(dead).toMatchObject({ startedAtMs: 100, workedMs: 80, atWorkSinceMs: null });
});
