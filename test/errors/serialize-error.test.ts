import { describe, expect, it } from "vitest";
import { deserializeError, serializeError } from "../../src/errors/ensure-error.js";
import { ServiceError } from "../../src/errors/service-error.js";

/** Everything that a chain of causes holds, from the outside in. */
function chainOf(error: { message: string; cause?: unknown }): string[] {
  const cause = error.cause as { message: string; cause?: unknown } | undefined;
  return cause === undefined ? [error.message] : [error.message, ...chainOf(cause)];
}

function nest(depth: number): Error {
  return depth === 0 ? new Error("level 0") : new Error(`level ${depth}`, { cause: nest(depth - 1) });
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("serializeError", () => {
  it("carries every fact of a ServiceError", () => {
    const error = new ServiceError("TASK_TIMEOUT", "Task a took too long.", {
      details: { nodeId: "a", timeoutMs: 5 },
      retryable: false,
    });
    expect(serializeError(error)).toEqual({
      name: "ServiceError",
      code: "TASK_TIMEOUT",
      message: error.message,
      summary: "Task a took too long.",
      docsUrl: "docs/errors.md#task_timeout",
      details: { nodeId: "a", timeoutMs: 5 },
      retryable: false,
    });
  });

  it("carries name, message and text code of a foreign error, and none of its other members", () => {
    const error = Object.assign(new TypeError("no such file"), { code: "ENOENT", path: "/etc/passwd" });
    expect(serializeError(error)).toEqual({ name: "TypeError", code: "ENOENT", message: "no such file" });
  });

  it("leaves out a foreign code that is not text", () => {
    expect(serializeError(new DOMException("stopped", "AbortError"))).toEqual({
      name: "AbortError",
      message: "stopped",
    });
  });

  it("follows the chain of causes", () => {
    const error = new ServiceError("SESSION_ERROR", "The run failed.", {
      cause: new Error("socket closed", { cause: new Error("reset by peer") }),
    });
    expect(chainOf(serializeError(error))).toEqual([error.message, "socket closed", "reset by peer"]);
  });

  it("cuts the chain of causes after five", () => {
    expect(chainOf(serializeError(nest(9)))).toEqual([9, 8, 7, 6, 5, 4].map((level) => `level ${level}`));
  });

  it("comes to an end when an error is its own cause", () => {
    const error = new Error("snake");
    error.cause = error;
    expect(new Set(chainOf(serializeError(error)))).toEqual(new Set(["snake"]));
  });

  it("holds the errors that an AggregateError holds, the first ten, and gives them back", () => {
    const many = Array.from({ length: 12 }, (_, index) => new RangeError(`try ${index}`));
    const serialized = serializeError(new AggregateError(many, "all failed"));
    expect(serialized.errors?.map(({ name, message }) => [name, message])).toEqual(
      many.slice(0, 10).map(({ name, message }) => [name, message]),
    );
    expect(serialized.moreErrors).toBe(2);
    const back = deserializeError(serialized) as AggregateError;
    expect(back).toBeInstanceOf(AggregateError);
    expect(back.errors).toMatchObject([
      { message: "try 0" },
      ...many.slice(1, 10).map(({ message }) => ({ message })),
    ]);
  });

  it("keeps what caused each of them, and those that hold others", () => {
    const failed = new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    const inner = new AggregateError([new Error("deep")], "inner");
    const { errors } = serializeError(new AggregateError([failed, inner], ""));
    expect(errors).toMatchObject([{ cause: { message: "ECONNREFUSED" } }, { errors: [{ message: "deep" }] }]);
  });

  it("tells a tree of errors in a bounded number", () => {
    const grow = (depth: number): Error =>
      depth === 0
        ? new Error("leaf")
        : new AggregateError(
            Array.from({ length: 10 }, () => grow(depth - 1)),
            "branch",
          );
    const text = JSON.stringify(serializeError(grow(4)));
    expect(text.match(/"name"/g)?.length).toBeLessThanOrEqual(50);
  });

  it("takes no other member called errors for that", () => {
    expect(serializeError(Object.assign(new Error("x"), { errors: [1] }))).not.toHaveProperty("errors");
  });

  it("comes to an end when an AggregateError holds itself", () => {
    const error = new AggregateError([], "snake");
    error.errors.push(error);
    expect(serializeError(error).errors).toMatchObject([{ message: "snake" }]);
  });

  it("tells where it was thrown to those who say what the files are relative to", () => {
    const error = new ServiceError("INTERNAL_ERROR", "Failed.", { cause: new Error("inner") });
    expect(JSON.stringify(serializeError(error))).not.toContain("serialize-error.test");
    const { frame, stack, cause } = serializeError(error, import.meta.dirname);
    expect(frame).toMatchObject({ file: "serialize-error.test.ts" });
    expect(stack).toMatch(/^at serialize-error\.test\.ts:\d+:\d+/);
    expect(cause).toMatchObject({ frame, stack: expect.stringContaining("serialize-error.test.ts") });
  });

  it("names the class of an error, whether or not it sets its name", () => {
    class CardRefused extends Error {}
    class Bad extends TypeError {}
    const named = Object.assign(new CardRefused("x"), { name: "Refused" });
    const errors = [new CardRefused("x"), new Bad("x"), named, new (class extends Error {})("x")];
    expect(errors.map((error) => serializeError(error).name)).toEqual([
      "CardRefused",
      "TypeError",
      "Refused",
      "Error",
    ]);
  });

  it.each([
    ["text", '"text"'],
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
    [{ reason: "late" }, '{"reason":"late"}'],
  ])("names the thrown value %j, which is not an Error", (thrown, described) => {
    const serialized = serializeError(thrown);
    expect(serialized).toEqual({ name: "Error", message: expect.stringContaining(described) });
  });

  it("serializes a cause that is not an Error", () => {
    expect(serializeError(new Error("outer", { cause: "plain text" })).cause?.message).toContain(
      '"plain text"',
    );
  });

  it("survives details that refer to themselves", () => {
    const details: Record<string, unknown> = { nodeId: "a" };
    details["self"] = details;
    const serialized = serializeError(new ServiceError("INTERNAL_ERROR", "Failed.", { details }));
    expect(Object.keys(serialized.details ?? {})).toEqual(["unserializable"]);
    expect(() => JSON.stringify(serialized)).not.toThrow();
  });

  it("survives details whose members throw when they are read", () => {
    const details = {
      get token(): string {
        throw new Error("not now");
      },
    };
    const serialized = serializeError(new ServiceError("INTERNAL_ERROR", "Failed.", { details }));
    expect(Object.keys(serialized.details ?? {})).toEqual(["unserializable"]);
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    ["a text", "no room", { value: "no room" }],
    ["a list", [1], { value: [1] }],
    ["nested deeper than rows may be", nested(3_000), { tooDeep: true, limit: 200 }],
  ])("makes an object of details that are %s", (_what, details, kept) => {
    const error = new ServiceError("MINE", "Failed.", { details: details as never });
    expect(serializeError(error).details).toEqual(kept);
  });

  it("leaves out a summary that is no text, of a class that only calls itself ServiceError", () => {
    const error = Object.assign(new Error("x"), { name: "ServiceError", code: "MINE", summary: 5 });
    expect(serializeError(error)).not.toHaveProperty("summary");
  });

  it("gives details the form in which they come back from storage", () => {
    const details = { at: new Date(0), missing: undefined, list: [undefined, 1] };
    const serialized = serializeError(new ServiceError("INTERNAL_ERROR", "Failed.", { details }));
    expect(serialized.details).toEqual({ at: "1970-01-01T00:00:00.000Z", list: [null, 1] });
    expect(Object.hasOwn(serialized.details ?? {}, "missing")).toBe(false);
  });
});

describe("deserializeError", () => {
  it("gives back an equal ServiceError with its chain of causes", () => {
    const error = new ServiceError("AGENT_CLI_ERROR", "claude exited with 1.", {
      details: { exitCode: 1 },
      retryable: false,
      cause: Object.assign(new Error("no such file"), { code: "ENOENT" }),
    });
    const back = deserializeError(JSON.parse(JSON.stringify(serializeError(error))));
    expect(ServiceError.is(back, "AGENT_CLI_ERROR")).toBe(true);
    expect(serializeError(back)).toEqual(serializeError(error));
  });

  it("gives back a foreign error with its name, code and verdict on retries", () => {
    const error = Object.assign(new RangeError("too far"), { code: "E_FAR", retryable: false });
    const back = deserializeError(serializeError(error));
    expect(back).toBeInstanceOf(Error);
    expect(back).toMatchObject({ name: "RangeError", message: "too far", code: "E_FAR", retryable: false });
  });

  it("keeps the place where it was thrown", () => {
    const error = new Error("outer", { cause: new TypeError("inner") });
    const serialized = serializeError(error, import.meta.dirname);
    expect(serializeError(deserializeError(serialized), "/elsewhere")).toEqual(serialized);
    const placeless = deserializeError(serializeError(error));
    expect(serializeError(placeless, "/elsewhere")).not.toHaveProperty("frame");
  });

  it("adds neither code nor cause nor verdict to an error that had none", () => {
    const back = deserializeError(serializeError(new Error("plain")));
    expect(["code", "cause", "retryable"].filter((key) => key in back)).toEqual([]);
  });

  it("keeps a code of the user's own", () => {
    const back = deserializeError(serializeError(new ServiceError("PRINTER_ON_FIRE", "The printer burns.")));
    expect(back.message).toBe("The printer burns.");
    expect(ServiceError.is(back, "PRINTER_ON_FIRE")).toBe(true);
  });
});
