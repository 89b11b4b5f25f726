import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { eventTypeList } from "../../../src/cli/input/event-types.js";
import { readJsonArgument, readJsonObject } from "../../../src/cli/input/json-argument.js";
import {
  duration,
  positiveInteger,
  stateList,
  userName,
  wholeNumber,
} from "../../../src/cli/input/option-values.js";
import { applyAssignments } from "../../../src/cli/input/set-values.js";
import { Workspace } from "../support/treadle.js";

const usage = (text: string | RegExp) =>
  expect.objectContaining({ code: "CLI_USAGE", message: expect.stringMatching(text) });

describe("--set", () => {
  it("takes JSON as JSON and anything else as text", () => {
    expect(applyAssignments({}, ["n=3", "b=true", "l=[1,2]", "t=three", 'q="3"', "zip=01234", "e="])).toEqual(
      {
        n: 3,
        b: true,
        l: [1, 2],
        t: "three",
        q: "3",
        zip: "01234",
        e: "",
      },
    );
  });

  it("leads into objects by dots and keeps what is there", () => {
    expect(applyAssignments({ repo: { path: "/a" } }, ["repo.depth=2", "who.name=Ada"])).toEqual({
      repo: { path: "/a", depth: 2 },
      who: { name: "Ada" },
    });
  });

  it("keeps everything after the first equals sign", () => {
    expect(applyAssignments({}, ["url=https://example.com/?a=b"])).toEqual({
      url: "https://example.com/?a=b",
    });
  });

  it("leaves the given input as it was", () => {
    const input = { a: { b: 1 } };
    applyAssignments(input, ["a.b=2"]);
    expect(input).toEqual({ a: { b: 1 } });
  });

  it("sets a key named like a part of every object as an own member", () => {
    const result = applyAssignments({}, ["__proto__.polluted=1"]);
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each(["novalue", "=3", "a..b=1"])("refuses %s", (assignment) => {
    expect(() => applyAssignments({}, [assignment])).toThrow(usage("expected key=value"));
  });

  it("refuses to lead through something that is not an object", () => {
    expect(() => applyAssignments({ a: 1 }, ["a.b=2"])).toThrow(usage("a is not an object"));
  });
});

describe("an option that takes JSON", () => {
  const read = (value: string, { cwd = ".", input = "" } = {}) =>
    readJsonArgument({ option: "--input", value }, { cwd, input: Readable.from([Buffer.from(input)]) });

  it("takes the text itself, a file, or standard input", async () => {
    const { folder } = new Workspace({ "in.json": '{"from":"file"}' });
    await expect(read('{"a":1}')).resolves.toEqual({ a: 1 });
    await expect(read("@in.json", { cwd: folder })).resolves.toEqual({ from: "file" });
    await expect(read("-", { input: "[1]" })).resolves.toEqual([1]);
  });

  it("says which option and which source is not JSON", async () => {
    const { folder } = new Workspace();
    writeFileSync(`${folder}/bad.json`, "{a:1}");
    await expect(read("{a:1}")).rejects.toEqual(usage("--input: the given text is not JSON"));
    await expect(read("@bad.json", { cwd: folder })).rejects.toEqual(usage("bad.json is not JSON"));
    await expect(read("-", { input: "" })).rejects.toEqual(usage("standard input is not JSON"));
  });

  it("says that a file does not exist", async () => {
    await expect(read("@nowhere.json")).rejects.toEqual(usage("nowhere.json does not exist"));
  });

  it.each([
    ["[1]", "an array"],
    ["null", "null"],
    ["3", "a number"],
  ])("that has to be an object refuses %s", async (value, received) => {
    const terminal = { cwd: ".", input: Readable.from([]) };
    await expect(readJsonObject({ option: "--input", value }, terminal)).rejects.toEqual(usage(received));
  });
});

describe("option values", () => {
  it("are parsed", () => {
    expect(positiveInteger("-n")("12")).toBe(12);
    expect(wholeNumber("-n")("0")).toBe(0);
    expect(duration("-d")("2h")).toBe(7_200_000);
    expect(stateList("-s")("failed, waiting-timer")).toEqual(["failed", "waiting-timer"]);
  });

  it.each([
    [() => positiveInteger("--limit")("0"), "--limit: expected a positive integer"],
    [() => positiveInteger("--limit")("1.5"), "positive integer"],
    [() => wholeNumber("--iteration")("-1"), "whole number"],
    [() => wholeNumber("--iteration")(""), "whole number"],
    [() => duration("--older-than")("yesterday"), "a duration such as"],
    [() => stateList("--status")("done"), 'received "done"'],
    [() => stateList("--status")(""), "expected some of running"],
  ])("say what was expected and what arrived (%#)", (parse, text) => {
    expect(parse).toThrow(usage(text));
  });
});

describe("--type", () => {
  it("takes exact names and beginnings, in any case", () => {
    expect(eventTypeList("nodefailed")).toEqual(["NodeFailed"]);
    expect(eventTypeList("Approval")).toEqual(
      expect.arrayContaining(["ApprovalRequested", "ApprovalGranted", "ApprovalDenied"]),
    );
  });

  it("refuses what names nothing", () => {
    expect(() => eventTypeList("NodeFailed,Nothing")).toThrow(
      expect.objectContaining({
        code: "INVALID_EVENTS_OPTIONS",
        message: expect.stringContaining("Nothing"),
      }),
    );
  });
});

it("--by is no name that treadle gives to what is no user", () => {
  for (const name of ["service:auto", "gateway", "cron:nightly", "Webhook:x", "token:ci"]) {
    expect(() => userName("--by")(name)).toThrow(usage("--by"));
  }
  expect(userName("--by")("ada")).toBe("ada");
});
