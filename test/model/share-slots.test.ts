import { describe, expect, it } from "vitest";
import { type Contender, shareSlots } from "../../src/model/share-slots.js";
import fc from "../support/property-tests.js";

const free = (slots: Record<string, number>) => new Map(Object.entries(slots));

const contenders: fc.Arbitrary<Contender[]> = fc.array(
  fc.record({
    limits: fc.subarray(["x", "y", "z"], { minLength: 1 }),
    wanted: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 6 },
);
const rooms = fc.record({ x: fc.nat(6), y: fc.nat(6), z: fc.nat(6) });

describe("free slots", () => {
  it("go to the contenders in turn", () => {
    const order = [
      { limits: ["x"], wanted: 100 },
      { limits: ["x"], wanted: 1 },
      { limits: ["x"], wanted: 2 },
    ];
    expect(shareSlots(order, free({ x: 5 }))).toEqual([0, 1, 2, 0, 2]);
  });

  it("of one limit are kept for a task that lacks one of another and comes first", () => {
    const order = [
      { limits: ["x", "y"], wanted: 1 },
      { limits: ["x"], wanted: 5 },
    ];
    expect(shareSlots(order, free({ x: 1, y: 0 }))).toEqual([]);
    expect(shareSlots(order, free({ x: 2, y: 0 }))).toEqual([1]);
  });

  it("are never given twice, nor more than are wanted", () => {
    fc.assert(
      fc.property(contenders, rooms, (order, room) => {
        const given = shareSlots(order, free(room));
        for (const [limit, slots] of Object.entries(room)) {
          expect(given.filter((at) => order[at]?.limits.includes(limit)).length).toBeLessThanOrEqual(slots);
        }
        order.forEach(({ wanted }, at) => {
          expect(given.filter((other) => other === at).length).toBeLessThanOrEqual(wanted);
        });
      }),
    );
  });

  it("always reach the first who wants something, once there is one of each of its limits", () => {
    fc.assert(
      fc.property(contenders, rooms, (order, room) => {
        const first = order.findIndex(({ wanted }) => wanted > 0);
        const needs = order[first]?.limits ?? [];
        const hasAll = needs.every((limit) => room[limit as keyof typeof room] > 0);
        const given = shareSlots(order, free(room));
        if (first >= 0 && hasAll) expect(given[0]).toBe(first);
      }),
    );
  });
});
