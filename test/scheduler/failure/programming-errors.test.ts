import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { deserializeError, type SerializedError, serializeError } from "../../../src/errors/ensure-error.js";
import { decideRetry } from "../../../src/scheduler/retry.js";
import type { TaskDescriptor, TaskKind } from "../../../src/model/task.js";
import type { NodeRow } from "../../../src/model/node.js";

const row = { nodeId: "work", iteration: 0, lastAttempt: 1, failures: 1, identicalFailures: 1 } as NodeRow;

function decided(thrown: unknown, kind: TaskKind = "compute") {
  const task = { kind, retries: Number.POSITIVE_INFINITY } as TaskDescriptor;
  const root = import.meta.dirname;
  const error: SerializedError = serializeError(deserializeError(serializeError(thrown, root)), root);
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

describe("a mistake in the code of an agent of one's own", () => {
  it.each([TypeError, ReferenceError, RangeError, SyntaxError])("is not tried again: %o", (Class) => {
    expect(decided(new Class("x is not what it should be"), "agent")).toBe("give-up");
  });
});

/** As a package throws it, with nothing of the author's own below it. */
function ofPackage(error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n    at read (/app/node_modules/provider/index.js:3:5)`;
  return error;
}

describe("what only looks like a mistake in the code", () => {
  it("is tried again: an error of another class", () => {
    expect(decided(new Error("TypeError"))).toBe("retry");
  });

  it("is tried again: fetch has not reached its host", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    expect(decided(new TypeError("fetch failed", { cause }))).toBe("retry");
  });

  it.each(["fetch failed", "terminated"])("is tried again: the connection broke (%s)", (message) => {
    expect(decided(new TypeError(message), "agent")).toBe("retry");
  });

  it("is tried again: an agent read an answer that is no JSON", () => {
    const thrown = caught(() => JSON.parse("Certainly! Here it is:"));
    expect(thrown).toBeInstanceOf(SyntaxError);
    expect(decided(thrown, "agent")).toBe("retry");
  });

  it("is tried again: the package of an agent's provider threw it", () => {
    expect(decided(ofPackage(new TypeError("Cannot read properties of undefined")), "agent")).toBe("retry");
  });
});

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}
