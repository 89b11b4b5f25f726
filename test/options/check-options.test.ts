import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import { checkOptions, givenOptions } from "../../src/options/check-options.js";
import * as rules from "../../src/options/option-rules.js";

interface Options {
  name: string;
  limit?: number;
  tags?: string[];
}

const RULES = {
  name: rules.required(rules.name),
  limit: rules.withDefault(rules.positiveInteger, 5),
  tags: rules.texts,
} satisfies rules.OptionRules<Options>;

const check = (options: unknown) => checkOptions("list", options as Options, RULES);

function refusalOf(options: unknown): ServiceError {
  try {
    check(options);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

function throwing(): never {
  throw new RangeError("from inside");
}

describe("what is shown of a wrong address", () => {
  it.each(["https://ada:pa55@host", "http:ada:pa55@host", "https:/ada:pa55@host", "https:\\\\ada:pa55@host"])(
    "is not who signs in there: %s",
    (address) => {
      expect(refusalOf({ name: "a", limit: address }).message).toMatch(
        /received "https?:.*\[redacted\]@host"/,
      );
      expect(refusalOf({ name: "a", limit: address }).message).not.toMatch(/ada|pa55/);
    },
  );
});

describe("options that fit", () => {
  it("come with the defaults of those that are not given, or given as undefined", () => {
    expect(check({ name: "a" })).toEqual({ name: "a", limit: 5 });
    expect(check({ name: "a", limit: undefined })).toEqual({ name: "a", limit: 5 });
    expect(check({ name: "a", limit: 7 })).toEqual({ name: "a", limit: 7 });
  });

  it("come without defaults where they change what was said before", () => {
    expect(givenOptions<Options>("list", { name: "a" }, RULES)).toEqual({ name: "a" });
  });

  it("may be inherited, or answered by a getter, which is asked once", () => {
    let asked = 0;
    class Chosen {
      readonly name = "a";
      get limit() {
        asked += 1;
        return asked;
      }
    }
    expect(check(Object.create({ name: "a", limit: 2 }))).toEqual({ name: "a", limit: 2 });
    expect(check(new Chosen())).toEqual({ name: "a", limit: 1 });
  });

  it("may be frozen, and without a prototype", () => {
    expect(check(Object.freeze({ name: "a" }))).toEqual({ name: "a", limit: 5 });
    expect(check(Object.assign(Object.create(null), { name: "a" }))).toEqual({ name: "a", limit: 5 });
  });

  it("are not those that were added to all objects", () => {
    Object.defineProperty(Object.prototype, "pollution", {
      value: 1,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    const names = () => Object.keys(check({ name: "a" }));
    try {
      expect(names().join()).toBe("limit,name");
    } finally {
      Reflect.deleteProperty(Object.prototype, "pollution");
    }
  });
});

describe("options that do not fit", () => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const endless: unknown[] = [];
  endless.push(endless);

  it.each([
    ["a text", () => ({ name: "a", limit: "7" }), 'limit: expected a positive integer, received "7".'],
    ["null", () => ({ name: "a", limit: null }), "limit: expected a positive integer, received null."],
    ["NaN", () => ({ name: "a", limit: Number.NaN }), "limit: expected a positive integer, received NaN."],
    ["a bigint", () => ({ name: "a", limit: 7n }), "limit: expected a positive integer, received 7n."],
    [
      "a symbol",
      () => ({ name: Symbol("a") }),
      "name: expected a string that is not empty, received a symbol.",
    ],
    [
      "a function",
      () => ({ name: check }),
      "name: expected a string that is not empty, received a function.",
    ],
    [
      "a list that holds itself",
      () => ({ name: "a", tags: endless }),
      "tags[0]: expected a string, received [a list].",
    ],
    [
      "a proxy that answers nothing",
      () => ({ name: "a", tags: revoked }),
      "tags: expected a list of strings, received an object.",
    ],
    ["one that is missing", () => ({}), "name: expected a string that is not empty, received undefined."],
    [
      "a getter that throws",
      () => Object.defineProperty({ name: "a" }, "limit", { get: throwing }),
      "limit: expected a positive integer, received a value that cannot be read.",
    ],
  ])("are refused by name, with what arrived: %s", (_kind, options, words) => {
    expect(refusalOf(options())).toMatchObject({ code: "INVALID_INPUT", summary: `Option ${words}` });
  });

  it("keep what a getter has thrown as the cause", () => {
    const options = Object.defineProperty({ name: "a" }, "limit", { get: throwing });
    expect(refusalOf(options).cause).toBeInstanceOf(RangeError);
  });

  it.each([
    ["its own", () => ({ name: "a", limits: 7 })],
    ["an inherited one", () => Object.create({ name: "a", limits: 7 })],
    [
      "one whose getter throws",
      () => Object.defineProperty({ name: "a" }, "limits", { get: throwing, enumerable: true }),
    ],
    ["null", () => ({ name: "a", limits: null })],
  ])("are refused with the nearest name when there is none: %s", (_kind, options) => {
    expect(refusalOf(options()).summary).toContain(
      "Option limits: expected an option of list (name, limit, tags); did you mean limit?",
    );
  });

  it.each([
    ["null", () => null],
    ["a text", () => "name"],
    ["a list", () => []],
    ["a proxy that answers nothing", () => revoked],
  ])("are one object, which this is not: %s", (_kind, options) => {
    expect(refusalOf(options()).code).toBe("INVALID_INPUT");
  });
});
