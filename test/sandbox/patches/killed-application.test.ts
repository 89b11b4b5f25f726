import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyPatch } from "../../../src/sandbox/patches/apply-patch.js";
import { Snapshots } from "../../../src/sandbox/patches/snapshots.js";
import { compileProgram } from "../../e2e-agents/support/compile-program.js";
import { readFolder, writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const BEFORE = { notes: "-one\ntwo\n", gone: "-old\n", program: "-run\n" };
const AFTER = { notes: "-one\nzwei\n", "new/file": "-made inside\n", program: "xrun\n" };

/** A third of the steps in the suite, always the same ones; other ones with another `PROPERTY_SEED`, and all of them with `RUNS`. */
const STRIDE = process.env["RUNS"] === undefined ? 3 : 1;
const FIRST_STEP = 1 + (Number(process.env["PROPERTY_SEED"] ?? 0) % STRIDE);

it("patches that several processes put into one folder at once are all in it", async () => {
  const folder = temporaryFolder("several");
  const [root, before, after] = ["root", "before", "after"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [root, before, after]) mkdirSync(each);
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const text = (changed: readonly number[]) =>
    `-${lines.map((line, index) => (changed.includes(index) ? "changed" : line)).join("\n")}\n`;
  for (const each of [root, before]) writeFolder(each, { notes: text([]) });
  const program = await compileProgram("test/support/crash/patching-program.ts", folder);
  const snapshots = new Snapshots(join(folder, "snapshots"), new AbortController().signal);
  const base = await snapshots.take(before);
  const places = [1, 11, 21];
  const applications: object[] = [];
  for (const place of places) {
    writeFolder(after, { notes: text([place]) });
    const patchFile = join(folder, `${place}.patch`);
    await snapshots.writePatch(base, await snapshots.take(after), patchFile);
    applications.push({ root, patchFile, folder: join(folder, `state-${place}`) });
  }
  const env = { PATH: process.env["PATH"], HOME: folder };
  const codes = await Promise.all(
    applications.map(
      async (each) =>
        (
          await once(
            spawn(process.execPath, [program, JSON.stringify(each)], { env, stdio: "inherit" }),
            "exit",
          )
        )[0],
    ),
  );
  expect(codes).toEqual([0, 0, 0]);
  expect(readFolder(root)).toEqual({ notes: text(places) });
});

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
  for (let step = FIRST_STEP; ; step += STRIDE) {
    const [root, state] = ["root", "state"].map((name) => join(folder, `${name}-${step}`)) as [
      string,
      string,
    ];
    mkdirSync(root);
    writeFolder(root, BEFORE);
    const application = { root, patchFile, folder: state };
    const env = { PATH: process.env["PATH"], HOME: folder };
    const given = JSON.stringify({ ...application, diesAfter: step });
    const killed = spawnSync(process.execPath, [program, given], { encoding: "utf8", env });
    if (killed.signal !== "SIGKILL") {
      // There is no such step: the one before was the last.
      expect({ step, ...killed }).toMatchObject({ status: 0, stderr: "" });
      expect(step).toBeGreaterThan(Object.keys(AFTER).length);
      return;
    }
    await applyPatch(application);
    expect({ step, files: readFolder(root) }).toEqual({ step, files: AFTER });
    // What people change afterwards stays, whatever is begun again.
    writeFolder(root, { notes: "-by a person\n" });
    if (step % 2 === 0) {
      await applyPatch(application);
      expect(readFolder(root)).toMatchObject({ notes: "-by a person\n" });
    }
  }
});
