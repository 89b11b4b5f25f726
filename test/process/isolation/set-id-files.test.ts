import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { bubblewrapWay, confinedTo, isBubblewrapPermitted } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

async function run(root: string, program: string) {
  const confinement = confinedTo(root);
  return runCommand({
    argv: [process.execPath, "-e", `const fs = require("node:fs");\n${program}`],
    isolation: bubblewrapWay(confinement),
    cwd: confinement.cwd,
    env: confinement.env,
    signal: new AbortController().signal,
    maxOutputBytes: 100_000,
  });
}

const modeOf = (root: string, name: string) => statSync(join(root, name)).mode & 0o7777;

/**
 * Such a file is the engine's user for every other user of the machine who starts it, long after the command has ended.
 */
describe.runIf(isBubblewrapPermitted)("a command in bubblewrap", () => {
  it.each([
    ["chmod", `fs.chmodSync("mine", 0o4755)`],
    ["chmod, for the group", `fs.chmodSync("mine", 0o2755)`],
    ["fchmod", `fs.fchmodSync(fs.openSync("mine", "r+"), 0o6755)`],
    ["a new file", `fs.openSync("new", "wx", 0o4755)`],
    ["a new file, for the group", `fs.openSync("new", "w", 0o2755)`],
    ["install", `require("node:child_process").execSync("install -m 4755 mine new && test -u new")`],
    [
      "python",
      `require("node:child_process").execSync("python3 -c 'import os; os.mknod(\\"new\\", 0o104755)'")`,
    ],
  ])("leaves no file that runs as its owner or group: by %s", async (_way, program) => {
    const root = await workspace({ mine: "#!/bin/sh\nid\n" });
    const { exitCode } = await run(root, program);
    expect(exitCode).not.toBe(0);
    for (const name of readdirSync(root)) expect(modeOf(root, name) & 0o6000).toBe(0);
  });

  it("gives its files every other mode, and opens those that are there", async () => {
    const root = await workspace({ mine: "here" });
    writeFileSync(join(root, "closed"), "x", { mode: 0o600 });
    const program = `
      process.umask(0);
      fs.chmodSync("mine", 0o1777);
      fs.closeSync(fs.openSync("new", "wx", 0o751));
      fs.mkdirSync("folder", 0o775);
      fs.fchmodSync(fs.openSync("closed", "r"), 0o640);
      process.stdout.write(fs.readFileSync("mine", "utf8"));
    `;
    expect(await run(root, program)).toMatchObject({ exitCode: 0, output: "here" });
    const modes = ["mine", "new", "folder", "closed"].map((name) => modeOf(root, name).toString(8));
    expect(modes).toEqual(["1777", "751", "775", "640"]);
  });
});
