import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { FileStates } from "../../../src/vcs/file-states.js";
import { forgetStates } from "../../../src/vcs/forget-states.js";
import { removeRestored, restoreState } from "../../../src/vcs/restore-state.js";
import { newStateRef } from "../../../src/vcs/state-refs.js";
import { workspace } from "../../tools/support/workspace.js";
import { changesOf, gitIn, recordStates, repository, stateOf } from "./repository.js";

beforeEach(recordStates);

it("of a submodule the commit is recorded that it is on, and nothing else", async () => {
  const inner = await repository({ "inner.txt": "1\n" });
  const { root, git, record } = await repository({ "a.txt": "a\n" });
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
  git("commit", "-q", "-m", "with a submodule");
  const before = stateOf(await record());
  writeFileSync(join(root, "sub/inner.txt"), "2\n");
  expect(await changesOf(before, stateOf(await record()))).toEqual([]);
  gitIn(join(root, "sub"), "commit", "-q", "-a", "-m", "second");
  const after = stateOf(await record());
  expect(await changesOf(before, after)).toEqual(["modified sub +1 -1"]);
  expect(git("ls-tree", after.commit, "sub")).toContain(gitIn(join(root, "sub"), "rev-parse", "HEAD"));
  // The submodule's own folder is a repository, too.
  expect(stateOf(await record(join(root, "sub")))).toMatchObject({ root: join(root, "sub"), folder: "" });
});

it("files that a sparse checkout leaves out have not gone", async () => {
  const { root, git, record } = await repository({ "in/a.txt": "a\n", "out/b.txt": "b\n", "top.txt": "t\n" });
  git("sparse-checkout", "set", "--cone", "in");
  expect(existsSync(join(root, "out"))).toBe(false);
  const before = stateOf(await record());
  writeFileSync(join(root, "in/a.txt"), "changed\n");
  const after = stateOf(await record());
  expect(await changesOf(before, after)).toEqual(["modified in/a.txt +1 -1"]);
  expect(git("ls-tree", "-r", "--name-only", after.commit).split("\n")).toEqual([
    "in/a.txt",
    "out/b.txt",
    "top.txt",
  ]);
});

it("a shallow clone is recorded, compared and restored", async () => {
  const whole = await repository({ "a.txt": "one\n" });
  writeFileSync(join(whole.root, "a.txt"), "two\n");
  whole.git("commit", "-q", "-a", "-m", "second");
  const root = join(await workspace(), "clone");
  gitIn(whole.root, "clone", "-q", "--depth", "1", `file://${whole.root}`, root);
  const states = new FileStates();
  const record = () => states.record({ folder: root, runId: "run", hidden: [] });
  const before = stateOf(await record());
  writeFileSync(join(root, "a.txt"), "three\n");
  const after = stateOf(await record());
  expect(await changesOf(before, after)).toEqual(["modified a.txt +1 -1"]);
  const there = `${root}-restored`;
  await restoreState(after, there);
  expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("three\n");
  await removeRestored(after, there);
});

it("a file that is kept elsewhere, of which the index has a pointer, is recorded without the repository's filter", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
  const { root, git, record } = await repository({ ".gitattributes": "*.big filter=lfs diff=lfs -text\n" });
  git("config", "filter.lfs.clean", `touch ${root}/cleaned; printf '${pointer.replaceAll("\n", "\\n")}'`);
  for (const name of ["one.big", "two.big"]) {
    writeFileSync(join(root, name), "large");
    // A file as young as the index is read anew, whatever the index says of it.
    utimesSync(join(root, name), 1, 1);
  }
  git("add", "one.big", "two.big");
  git("commit", "-q", "-m", "pointers");
  git("update-index", "--refresh");
  rmSync(join(root, "cleaned"));
  const before = stateOf(await record());
  writeFileSync(join(root, "two.big"), "larger");
  const after = stateOf(await record());
  expect(existsSync(join(root, "cleaned"))).toBe(false);
  expect(git("show", `${after.commit}:one.big`)).toBe(pointer.trimEnd());
  expect(git("show", `${after.commit}:two.big`)).toBe("larger");
  expect(await changesOf(before, after)).toEqual(["modified two.big +1 -3"]);
});

it("a file that changes while it is read keeps no later state from being recorded", async () => {
  const { root, record } = await repository({ "a.txt": "one\n" });
  const before = stateOf(await record());
  const busy = join(root, "busy.log");
  const write = `const fs = require("node:fs"); for (;;) {
    fs.appendFileSync(process.argv[1], Buffer.alloc(300_000)); fs.truncateSync(process.argv[1]); }`;
  const writer = spawn(process.execPath, ["-e", write, busy]);
  try {
    for (let count = 0; count < 5; count += 1) {
      const recorded = await record();
      expect(recorded).toSatisfy((one: object) => "state" in one || "reason" in one);
    }
  } finally {
    writer.kill("SIGKILL");
    await once(writer, "exit");
  }
  writeFileSync(busy, "quiet\n");
  expect(await changesOf(before, stateOf(await record()))).toEqual(["added busy.log +1 -0"]);
});

it("a lock of the index that was left behind is in nobody's way, and stays", async () => {
  const { root, record } = await repository({ "a.txt": "one\n" });
  const before = stateOf(await record());
  writeFileSync(join(root, ".git/index.lock"), "");
  writeFileSync(join(root, "a.txt"), "changed\n");
  expect(await changesOf(before, stateOf(await record()))).toEqual(["modified a.txt +1 -1"]);
  expect(existsSync(join(root, ".git/index.lock"))).toBe(true);
});

it("what a killed process has recorded of a run is forgotten with the run, although no event names it", async () => {
  const { root, git, record } = await repository({ "a.txt": "one\n" });
  stateOf(await record());
  // Of a process that was killed as it wrote another ref.
  const lock = join(root, ".git", `${newStateRef("run")}.lock`);
  mkdirSync(join(lock, ".."), { recursive: true });
  writeFileSync(lock, "");
  await forgetStates(root, ["run"]);
  expect(git("for-each-ref", "refs/treadle")).toBe("");
  expect(existsSync(lock)).toBe(false);
});

it("a run that was forgotten and comes again under its name is kept again", async () => {
  const { root, git, record } = await repository({ "a.txt": "one\n" });
  stateOf(await record());
  await forgetStates(root, ["run"]);
  git("gc", "-q", "--prune=now");
  const again = stateOf(await record());
  git("gc", "-q", "--prune=now");
  expect(git("cat-file", "-t", again.commit)).toBe("commit");
  expect(git("for-each-ref", "--format=%(objectname)", "refs/treadle")).toBe(again.commit);
});
