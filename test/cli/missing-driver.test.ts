import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

/** The native part of better-sqlite3 as it is found where no install script ran. */
const NOT_BUILT = `
const fs = require("node:fs");
const Module = require("node:module");
const isNative = (path) => String(path).endsWith("better_sqlite3.node");
const { existsSync } = fs;
fs.existsSync = (path) => !isNative(path) && existsSync(path);
Module.syncBuiltinESMExports();
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  if (!isNative(request)) return resolve(request, ...rest);
  throw Object.assign(new Error("Cannot find module '" + request + "'"), { code: "MODULE_NOT_FOUND" });
};
`;

/** The native part that another version of Node was given. */
const OF_ANOTHER_NODE = `
const dlopen = process.dlopen;
process.dlopen = (module, path, ...rest) => {
  if (!path.endsWith("better_sqlite3.node")) return dlopen.call(process, module, path, ...rest);
  throw Object.assign(new Error("compiled against another NODE_MODULE_VERSION"), { code: "ERR_DLOPEN_FAILED" });
};
`;

function without(preload: string): { workspace: Workspace; env: Record<string, string> } {
  const workspace = new Workspace({ "hello.tsx": HELLO, "preload.cjs": preload });
  return { workspace, env: { NODE_OPTIONS: `--require ${workspace.path("preload.cjs")}` } };
}

describe.each([
  ["is not there", NOT_BUILT],
  ["cannot be loaded by Node", OF_ANOTHER_NODE],
])("a native part of better-sqlite3 that %s", (problem, preload) => {
  it("is what `treadle up` says is missing, with the command that brings it, and no file is made", async () => {
    const { workspace, env } = without(preload);
    const { stderr, code } = await workspace.treadle(["up", "hello.tsx"], { env });
    expect(stderr).toContain("DB_REQUIRES_RUNTIME_SQLITE");
    expect(stderr).toContain(problem);
    expect(stderr).toContain("npm rebuild better-sqlite3");
    expect(stderr).not.toContain("build/Release");
    expect(code).toBe(4);
    expect(existsSync(workspace.path("service.db"))).toBe(false);
  });

  it.each([true, false])("is found by doctor (where there is a database: %s)", async (hasDatabase) => {
    const { workspace, env } = without(preload);
    if (hasDatabase) await workspace.treadle(["up", "hello.tsx"]);
    const { document, code } = await workspace.json<{ checks: { name: string; message: string }[] }>(
      ["doctor"],
      {
        env,
      },
    );
    expect(code).toBe(1);
    const message = document.checks.find(({ name }) => name === "database")?.message;
    expect(message).toContain(problem);
    expect(message).toContain("npm rebuild better-sqlite3");
    expect(message).not.toContain("build/Release");
  });
});
