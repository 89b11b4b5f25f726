import { describe, expect, it } from "vitest";
import type { CachePolicy } from "../../src/model/task.js";
import { components } from "../../src/components/components.js";
import { ServiceError } from "../../src/errors/service-error.js";
import { describeTask } from "../support/describe-task.js";
import { outputs } from "../support/render-workflow.js";

const { Task } = components;

const described = (cache: CachePolicy) =>
  describeTask(<Task id="a" output={outputs.note} cache={cache} children={() => ({ text: "x" })} />);

function refusalOf(cache: CachePolicy): ServiceError {
  try {
    described(cache);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

class Point {
  x = 1;
}

describe("what `by` of a cache answers", () => {
  it.each<[string, unknown]>([
    ["plain data", { a: [1, "x", null, true] }],
    ["nothing", undefined],
    ["data with gaps", [undefined, { a: undefined }]],
    ["a date", new Date(5)],
  ])("may be %s", (_what, answer) => {
    expect(described({ by: () => answer }).cacheBy).toBe(answer);
  });

  it.each<[unknown, string]>([
    [new Map([[1, 2]]), "cache.by, which answered a Map"],
    [new Set([1]), "cache.by, which answered a Set"],
    [() => 1, "cache.by, which answered a function"],
    [Symbol("x"), "cache.by, which answered a symbol"],
    [1n, "cache.by, which answered a bigint"],
    [Number.NaN, "cache.by, which answered NaN"],
    [new Point(), "cache.by, which answered an instance of Point"],
    [{ seen: [new Map()] }, 'cache.by, which answered a Map in "seen[0]"'],
  ])("is refused with the element and its kind when a key would lose it: %#", (answer, words) => {
    const error = refusalOf({ by: () => answer });
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.summary).toMatch(/^<Task id="a"> .*has /);
    expect(error.summary).toContain(words);
  });

  it("is refused as a promise with the word that it must be synchronous, whatever becomes of the promise", () => {
    const error = refusalOf({ by: async () => Promise.reject(new Error("late")) });
    expect(error).toMatchObject({ code: "INVALID_INPUT", details: { tag: "Task", id: "a" } });
    expect(error.summary).toContain("cache.by, which answered a Promise");
    expect(error.summary).toContain("synchronous");
  });

  it("is an error of the element when it throws", () => {
    const boom = new Error("by boom");
    const error = refusalOf({
      by: () => {
        throw boom;
      },
    });
    expect(error).toMatchObject({ code: "WORKFLOW_RENDER_FAILED", cause: boom, details: { id: "a" } });
    expect(error.summary).toContain('<Task id="a">');
    expect(error.summary).toContain("cache.by");
    expect(error.summary).toContain("by boom");
  });

  it("is nothing while it asks for a row that is not there yet", () => {
    const by: CachePolicy["by"] = (ctx) => ctx.output("note", { nodeId: "earlier" });
    expect(described({ by }).cacheBy).toBeUndefined();
  });
});

describe("other members of a cache policy", () => {
  it("are refused when a key would lose them", () => {
    const error = refusalOf({ tenant: { flags: new Set(["a"]) } });
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.summary).toMatch(/^<Task id="a"> .*has cache\.tenant with a Set in "flags"/);
  });
});
