import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CallFiles } from "../../../src/agents/cli/call-files.js";
import { mapOptions, type OptionTarget } from "../../../src/agents/cli/option-table.js";

let files: CallFiles;
beforeEach(() => {
  files = new CallFiles();
});
afterEach(() => files.remove());

const map = (target: OptionTarget, value: unknown) =>
  mapOptions({ option: target }, { option: value }, files);

describe("an option", () => {
  it.each<[string, OptionTarget, unknown, string[]]>([
    ["a text", { to: "flag", flag: "--x" }, "a b", ["--x", "a b"]],
    ["a number", { to: "flag", flag: "--x" }, 1.5, ["--x", "1.5"]],
    ["a list", { to: "flag", flag: "--x" }, ["a", "b"], ["--x", "a", "--x", "b"]],
    ["a joined list", { to: "flag", flag: "--x", join: "," }, ["a", "b"], ["--x", "a,b"]],
    ["an empty list", { to: "flag", flag: "--x" }, [], []],
    ["an empty joined list", { to: "flag", flag: "--x", join: "," }, [], []],
    ["true", { to: "switch", flag: "--x" }, true, ["--x"]],
    ["false", { to: "switch", flag: "--x" }, false, []],
    ["false with a flag of its own", { to: "switch", flag: "--x", off: "--no-x" }, false, ["--no-x"]],
    ["the path of a file", { to: "json-file", flag: "--x" }, "/m.json", ["--x", "/m.json"]],
    ["nothing", { to: "flag", flag: "--x" }, undefined, []],
    ["what an engine reads itself", { to: "engine" }, "a", []],
  ])("becomes arguments: %s", async (_what, target, value, flags) => {
    expect((await map(target, value)).flags).toEqual(flags);
  });

  it("becomes variables", async () => {
    expect((await map({ to: "env", names: ["A", "B"] }, true)).env).toEqual({ A: "true", B: "true" });
  });

  it.each<[OptionTarget, unknown, unknown]>([
    [{ to: "session", as: "resume" }, "id", { as: "resume", id: "id" }],
    [{ to: "session", as: "continue" }, true, { as: "continue", id: "" }],
    [{ to: "session", as: "continue" }, false, undefined],
  ])("chooses a conversation: %j %j", async (target, value, session) => {
    expect((await map(target, value)).session).toEqual(session);
  });

  it("becomes a file that no other user can read when it is JSON", async () => {
    const { flags } = await map({ to: "json-file", flag: "--x" }, [' {"a":1}', "[2]"]);
    const paths = flags.filter((argument) => argument !== "--x");
    expect(paths.map((path) => JSON.parse(readFileSync(path, "utf8")))).toEqual([{ a: 1 }, [2]]);
    for (const path of paths) expect(statSync(path).mode & 0o077).toBe(0);
    await files.remove();
    for (const path of paths) expect(() => readFileSync(path)).toThrow(/ENOENT/);
  });
});
