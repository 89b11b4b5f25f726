import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Snapshots } from "../../../src/sandbox/patches/snapshots.js";
import { compileProgram } from "../../e2e-agents/support/compile-program.js";
import { readFolder, writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const BEFORE = { notes: "-one\ntwo\n", gone: "-old\n", program: "-run\n" };
const AFTER = { notes: "-one\nzwei\n", "new/file": "-made inside\n", program: "xrun\n" };

it("a patch whose process is killed after any step is completed by the next one, and applied once", async () => {
  const folder = temporaryFolder("killed");
  const patchFile = join(folder, "changes.patch");
  const [before, after] = ["before", "after"].map((name) => join(folder, name)) as [string, string];
  for (const each of [before, after]) mkdirSync(each);
  writeFolder(before, BEFORE);
  writeFolder(after, AFTER);
  const snapshots = new Snapshots(join(folder, "snapshots"), new AbortController().signal);
  await snapshots.writePatch(await snapshots.take(before), await snapshots.take(after), patchFile);

  const program = await compileProgram("test/support/crash/patching-program.ts", folder);
  for (let step = 1; ; step += 1) {
    const [root, state] = ["root", "state"].map((name) => join(folder, `${name}-${step}`)) as [
      string,
      string,
    ];
    mkdirSync(root);
    writeFolder(root, BEFORE);
    const apply = (more: object) => {
      const all = JSON.stringify({ root, patchFile, folder: state, ...more });
      const env = { PATH: process.env["PATH"], HOME: folder };
      return spawnSync(process.execPath, [program, all], { encoding: "utf8", env });
    };
    const killed = apply({ diesAfter: step });
    if (killed.signal !== "SIGKILL") {
      // There is no such step: the one before was the last.
      expect({ step, ...killed }).toMatchObject({ status: 0, stderr: "" });
      expect(step).toBeGreaterThan(Object.keys(AFTER).length);
      return;
    }
    expect({ step, ...apply({}) }).toMatchObject({ step, status: 0, stderr: "" });
    expect({ step, files: readFolder(root) }).toEqual({ step, files: AFTER });
    // What people change afterwards stays, whatever is begun again.
    writeFolder(root, { notes: "-by a person\n" });
    if (step % 5 === 0) {
      expect(apply({})).toMatchObject({ status: 0, stderr: "" });
      expect(readFolder(root)).toMatchObject({ notes: "-by a person\n" });
    }
  }
}, 120_000);
