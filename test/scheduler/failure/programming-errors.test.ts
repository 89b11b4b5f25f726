import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { deserializeError, type SerializedError, serializeError } from "../../../src/errors/ensure-error.js";
import { decideRetry } from "../../../src/scheduler/retry.js";
import type { TaskDescriptor, TaskKind } from "../../../src/model/task.js";
import type { NodeRow } from "../../../src/model/node.js";

const row = { nodeId: "work", iteration: 0, lastAttempt: 1, failures: 1, identicalFailures: 1 } as NodeRow;

function decided(thrown: unknown, kind: TaskKind = "compute") {
  const task = { kind, retries: Number.POSITIVE_INFINITY } as TaskDescriptor;
  const error: SerializedError = serializeError(deserializeError(serializeError(thrown)));
  return decideRetry(task, row, error).kind;
}

describe("a mistake in the code of a task", () => {
  it.each([TypeError, ReferenceError, RangeError, SyntaxError])("is not tried again: %o", (Class) => {
    expect(decided(new Class("x is not what it should be"))).toBe("give-up");
  });

  it.each(["TypeError", "ReferenceError", "RangeError", "SyntaxError"])(
    "is not tried again when it was thrown in another realm: %s",
    (name) => {
      const thrown: unknown = runInNewContext(`new ${name}("x is not what it should be")`);
      expect(thrown).not.toBeInstanceOf(Error);
      expect(decided(thrown)).toBe("give-up");
    },
  );

  it("is tried again when the error says so", () => {
    expect(decided(Object.assign(new TypeError("later"), { retryable: true }))).toBe("retry");
  });
});

describe("what only looks like a mistake in the code", () => {
  it("is tried again: an error of another class", () => {
    expect(decided(new Error("TypeError"))).toBe("retry");
  });

  it("is tried again: fetch has not reached its host", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    expect(decided(new TypeError("fetch failed", { cause }))).toBe("retry");
  });

  it("is tried again: an agent threw it", () => {
    expect(decided(new SyntaxError("Unexpected token in the answer"), "agent")).toBe("retry");
  });
});
