import { describe, expect, it } from "vitest";
import { ensureError, isRetryable, serializeError } from "../../src/errors/ensure-error.js";
import { ServiceError } from "../../src/errors/service-error.js";

describe("ensureError", () => {
  it("returns an Error as it is", () => {
    const error = new TypeError("x");
    expect(ensureError(error)).toBe(error);
  });

  it("makes any other value an Error that shows it, without a code: the code that threw it gave none", () => {
    const error = ensureError({ status: 502 });
    expect(error.message).toContain('{"status":502}');
    expect(serializeError(error)).toEqual({ name: "Error", message: error.message });
  });

  it.each([
    ["a symbol", Symbol("odd"), "Symbol(odd)"],
    ["a function", function failing() {}, "failing"],
    ["a big integer", 10n, "BigInt"],
    ["an object without a prototype", Object.create(null) as unknown, "{}"],
  ])("describes %s without failing itself", (_, thrown, described) => {
    expect(ensureError(thrown).message).toContain(described);
  });

  it("describes a value that refers to itself", () => {
    const knot: unknown[] = [];
    knot.push(knot);
    expect(ensureError(knot).message).toContain("[object Array]");
  });

  it("keeps only the beginning of a long thrown text", () => {
    const { message } = ensureError(`start ${"x".repeat(10_000)}`);
    expect(message).toContain("start xxx");
    expect(message.length).toBeLessThan(1_000);
  });
});

describe("isRetryable", () => {
  it("follows the code table", () => {
    expect(isRetryable(serializeError(new ServiceError("TASK_TIMEOUT", "Too slow.")))).toBe(true);
    expect(isRetryable(serializeError(new ServiceError("AGENT_CONFIG_INVALID", "No model.")))).toBe(false);
  });

  it("lets an error overrule the code table in both directions", () => {
    const never = new ServiceError("TASK_TIMEOUT", "Too slow.", { retryable: false });
    const again = new ServiceError("AGENT_CONFIG_INVALID", "No model.", { retryable: true });
    expect(isRetryable(serializeError(never))).toBe(false);
    expect(isRetryable(serializeError(again))).toBe(true);
  });

  it("allows another attempt after a foreign error", () => {
    expect(isRetryable(serializeError(new Error("boom")))).toBe(true);
    expect(isRetryable(serializeError(Object.assign(new Error("boom"), { code: "ECONNRESET" })))).toBe(true);
  });

  it("obeys a foreign error that says it is final", () => {
    expect(isRetryable(serializeError(Object.assign(new Error("boom"), { retryable: false })))).toBe(false);
  });

  it("judges by the error itself, not by its cause", () => {
    const cause = new ServiceError("AGENT_CONFIG_INVALID", "No model.");
    expect(isRetryable(serializeError(new ServiceError("TASK_TIMEOUT", "Too slow.", { cause })))).toBe(true);
  });
});
