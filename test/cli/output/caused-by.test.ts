import { expect, it } from "vitest";
import { serializedErrorLine } from "../../../src/cli/output/thrown-text.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { ServiceError } from "../../../src/errors/service-error.js";

const frame = (file: string) => ({ file, line: 2, column: 9 });

it("an error that wraps another is shown with its own place, and the other one with its own", () => {
  const line = serializedErrorLine({
    name: "Error",
    message: "could not save the order",
    frame: frame("lib/low.ts"),
    stack: "at save (flow.tsx:6:13)\nat run (flow.tsx:20:1)",
    cause: {
      name: "RangeError",
      message: "disk quota exceeded",
      frame: frame("lib/low.ts"),
      stack: "at lib/low.ts:2:9",
    },
  });
  expect(line).toBe(
    "Error: could not save the order (flow.tsx:6:13), caused by RangeError: disk quota exceeded (lib/low.ts:2:9)",
  );
});

it("a wrapper that repeats its cause does not tell it twice", () => {
  const wrapped = new ServiceError("TASK_FAILED", "save failed: boom.", { cause: new Error("boom") });
  expect(serializedErrorLine(serializeError(wrapped)).match(/boom/g)).toHaveLength(1);
});

it("an error that holds several tells each of them", () => {
  const failures = [new TypeError("no model"), new RangeError("too long")];
  expect(serializedErrorLine(serializeError(new AggregateError(failures, "both failed")))).toBe(
    "AggregateError: both failed [TypeError: no model; RangeError: too long]",
  );
});

it("a stack without any place is read in one pass, however long it is", () => {
  const stack = "a".repeat(500_000);
  expect(serializedErrorLine({ name: "Error", message: "boom", stack })).toBe("Error: boom");
});
