import fc from "../support/property-tests.js";
import { expect, it } from "vitest";
import {
  controlId,
  globalTaskId,
  hasTaskPlace,
  isLaterRound,
  isNested,
  type EnclosingLoop,
  nodeIdInside,
  parseTaskKey,
  roundsIn,
  shapeOf,
  subflowNodeOf,
  taskKey,
  writtenId,
} from "../../src/model/address.js";

/** What authors may write: anything but the mark of rounds. */
const ids = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((id) => !id.includes("@@"));
const loopIds = ids.filter((id) => !id.startsWith("@") && !id.endsWith("@"));
const rounds = fc.array(fc.record({ id: loopIds, iteration: fc.nat(99) }), { maxLength: 4 });
const nodes = ids.filter((id) => !id.endsWith("@"));

const inside = (...loops: [string, number][]): EnclosingLoop[] =>
  loops.map(([id, iteration], at) => ({
    id,
    iteration,
    controlId: controlId(
      id,
      loops.slice(0, at).map(([outer, round]) => ({ id: outer, iteration: round })),
    ),
  }));

it("an address gives back the id and the rounds that it was made of, whatever the ids contain", () => {
  fc.assert(
    fc.property(nodes, rounds, (id, around) => {
      const address = controlId(id, around);
      expect(writtenId(address)).toBe(id);
      expect(roundsIn(address)).toEqual(around);
      expect(isNested(address)).toBe(around.length > 0);
    }),
  );
});

it("the key of a task gives back node and iteration", () => {
  fc.assert(
    fc.property(ids, fc.nat(), (nodeId, iteration) => {
      expect(parseTaskKey(taskKey({ nodeId, iteration }))).toEqual({ nodeId, iteration });
    }),
  );
});

it("the id of a child run leads back to the node of its parent, and to no other run", () => {
  fc.assert(
    fc.property(ids, ids, fc.nat(), (runId, nodeId, iteration) => {
      const node = { runId, nodeId, iteration };
      expect(subflowNodeOf(globalTaskId(node), runId)).toEqual(node);
    }),
  );
  expect(subflowNodeOf("run-2:a:0", "run-1")).toBeNull();
  expect(subflowNodeOf("run-1:a", "run-1")).toBeNull();
});

it("the innermost loop of a task is its iteration; the loops further out are in its id", () => {
  expect(nodeIdInside("write", [])).toBe("write");
  expect(nodeIdInside("write", inside(["outer", 2]))).toBe("write");
  expect(nodeIdInside("write", inside(["outer", 2], ["inner", 1]))).toBe("write@@outer=2");
  expect(inside(["outer", 2], ["inner", 1])[1]?.controlId).toBe("inner@@outer=2");
});

it("every round of a loop has the same shape", () => {
  expect(shapeOf("write@@outer=2@@middle=0")).toBe("write@@outer@@middle");
  expect(shapeOf("write")).toBe("write");
});

it("of two addresses the outermost loop that differs says which is later", () => {
  expect(isLaterRound("a@@x=2@@y=0", "a@@x=1@@y=9")).toBe(true);
  expect(isLaterRound("a@@x=1@@y=0", "a@@x=1@@y=9")).toBe(false);
  expect(isLaterRound("a@@x=1", "a@@x=1")).toBe(false);
});

it("an event names a task when it has both a node and an iteration", () => {
  expect(hasTaskPlace({ nodeId: "a", iteration: 0 })).toBe(true);
  expect(hasTaskPlace({ nodeId: "a" })).toBe(false);
  expect(hasTaskPlace({ nodeId: undefined, iteration: undefined })).toBe(false);
});
