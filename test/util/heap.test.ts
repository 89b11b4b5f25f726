import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { Heap } from "../../src/util/heap.js";

const ascending = () => new Heap<number>((a, b) => a < b);

function drain<T>(heap: Heap<T>): T[] {
  const items: T[] = [];
  while (heap.size > 0) items.push(heap.pop() as T);
  return items;
}

describe("Heap", () => {
  it("gives nothing when it is empty", () => {
    const heap = ascending();
    expect(heap.size).toBe(0);
    expect(heap.peek()).toBeUndefined();
    expect(heap.pop()).toBeUndefined();
    expect(heap.size).toBe(0);
  });

  it("gives back whatever was pushed, sorted", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        const heap = ascending();
        for (const value of values) heap.push(value);
        expect(heap.size).toBe(values.length);
        expect(drain(heap)).toEqual([...values].sort((a, b) => a - b));
      }),
    );
  });

  it("agrees with a sorted array under any mix of pushes and pops", () => {
    const step = fc.oneof(
      fc.integer().map((push) => ({ push })),
      fc.constant({ push: undefined }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = ascending();
        const model: number[] = [];
        for (const { push } of steps) {
          if (push === undefined) {
            expect(heap.pop()).toBe(model.shift());
          } else {
            heap.push(push);
            model.push(push);
            model.sort((a, b) => a - b);
          }
          expect(heap.peek()).toBe(model[0]);
          expect(heap.size).toBe(model.length);
        }
      }),
    );
  });

  it("orders by whatever the caller says precedes", () => {
    const heap = new Heap<{ at: number; seq: number }>((a, b) =>
      a.at === b.at ? a.seq < b.seq : a.at < b.at,
    );
    for (const [at, seq] of [
      [5, 0],
      [1, 1],
      [5, 2],
      [1, 3],
    ] as const) {
      heap.push({ at, seq });
    }
    expect(drain(heap).map(({ seq }) => seq)).toEqual([1, 3, 0, 2]);
  });

  it("does not remove what it only shows", () => {
    const heap = ascending();
    heap.push(1);
    expect([heap.peek(), heap.peek(), heap.size]).toEqual([1, 1, 1]);
  });
});
