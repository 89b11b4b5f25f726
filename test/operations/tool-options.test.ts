import { expect, it } from "vitest";
import { checkRunOptions } from "../../src/operations/drive/run-options.js";
import type { RunOptions } from "../../src/index.js";

it.each<[string, object]>([
  ["toolIsolation", { toolIsolation: "none" }],
  ["toolIsolation", { toolIsolation: "none", allowNetwork: false }],
  ["toolIsolation", { toolIsolation: "sometimes" }],
  ["writable", { writable: ".git" }],
  ["writable", { writable: [1] }],
])("a run refuses %s in %j", (option, options) => {
  expect(() => checkRunOptions(options as RunOptions)).toThrowError(
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(option) }),
  );
});

it("a run may leave commands without isolation when it allows them the network, also on resume", () => {
  expect(() =>
    checkRunOptions({ toolIsolation: "none", allowNetwork: true, writable: [".git"] }),
  ).not.toThrow();
  expect(() => checkRunOptions({ runId: "r", resume: true, toolIsolation: "none" })).not.toThrow();
});
