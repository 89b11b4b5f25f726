import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { diffStates } from "../../../src/vcs/diff-states.js";
import { forgetStates } from "../../../src/vcs/forget-states.js";
import { removeRestored, restoreState } from "../../../src/vcs/restore-state.js";
import { changesOf, gitIn, recordStates, repository, stateOf } from "./repository.js";

beforeEach(recordStates);

it("a state has what git would commit, and leaves index, HEAD, branches, files and settings as they are", async () => {
  const { root, git, record } = await repository({
    "a.txt": "one\n",
    "gone.txt": "gone\n",
    "old name.txt": "1\n2\n3\n4\n5\n",
    ".gitignore": "ignored\n",
  });
  writeFileSync(join(root, "staged.txt"), "staged\n");
  git("add", "staged.txt");
  const kept = () => [
    readFileSync(join(root, ".git/index"), "latin1"),
    readFileSync(join(root, ".git/HEAD"), "utf8"),
    readFileSync(join(root, ".git/config"), "utf8"),
    git("for-each-ref", "refs/heads", "refs/tags"),
    // By itself it may write the index anew.
    git("--no-optional-locks", "status", "--short"),
  ];
  const before = stateOf(await record());
  // In the second in which git has written its index, with as many bytes as before.
  writeFileSync(join(root, "a.txt"), "two\n");
  writeFileSync(join(root, "new.txt"), "new\n");
  writeFileSync(join(root, "ignored"), "no\n");
  writeFileSync(join(root, "bytes"), Buffer.from([0, 1, 2, 255]));
  rmSync(join(root, "gone.txt"));
  renameSync(join(root, "old name.txt"), join(root, "new\nname.txt"));
  const untouched = kept();
  const after = stateOf(await record());
  expect(kept()).toEqual(untouched);
  expect(await changesOf(before, after)).toEqual([
    "modified a.txt +1 -1",
    "added bytes binary",
    "deleted gone.txt +0 -1",
    "renamed old name.txt new\nname.txt +0 -0",
    "added new.txt +1 -0",
  ]);
  expect(readdirSync(join(root, ".git/treadle"))).toEqual([]);
  expect(after.head).toBe(git("rev-parse", "HEAD"));
  const { files } = await diffStates({ from: before, to: after }, { firstFile: 0, offset: 0 });
  expect(files[0]?.patch).toBe("@@ -1 +1 @@\n-one\n+two\n");
});

it("a state that is as the one before it is the same commit, and one ref keeps all of a run", async () => {
  const { root, git, record } = await repository({ "a.txt": "one\n" });
  const one = stateOf(await record());
  expect(stateOf(await record())).toEqual(one);
  writeFileSync(join(root, "a.txt"), "longer\n");
  const two = stateOf(await record());
  const refs = () => git("for-each-ref", "--format=%(objectname)", "refs/treadle");
  expect(refs()).toBe(two.commit);
  expect(git("log", "--format=%s", "refs/heads/main")).toBe("first");
  git("gc", "-q", "--prune=now");
  expect(await changesOf(one, two)).toEqual(["modified a.txt +1 -1"]);
  await forgetStates(root, ["another"]);
  expect(refs()).toBe(two.commit);
  await forgetStates(root, ["run"]);
  expect(refs()).toBe("");
});

it("a folder of a repository is recorded by itself, and the engine's own files never", async () => {
  const { root, record } = await repository({ "part/a.txt": "one\n", "b.txt": "b\n" });
  const before = stateOf(await record(join(root, "part")));
  await mkdir(join(root, ".service"));
  for (const path of ["part/a.txt", "part/new.txt", "b.txt", ".service/token"]) {
    writeFileSync(join(root, path), "longer\n");
  }
  const after = stateOf(await record(join(root, "part")));
  expect(await changesOf(before, after)).toEqual(["modified a.txt +1 -1", "added new.txt +1 -0"]);
  const whole = stateOf(await record());
  expect(gitIn(root, "ls-tree", "-r", "--name-only", whole.commit).split("\n")).toEqual([
    "b.txt",
    "part/a.txt",
    "part/new.txt",
  ]);
});

it("a repository without commits, a detached HEAD and a conflict are recorded", async () => {
  const { root, git, record } = await repository();
  writeFileSync(join(root, "a.txt"), "one\n");
  const first = stateOf(await record());
  expect(first.head).toBeNull();
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  git("checkout", "-q", "-b", "side");
  writeFileSync(join(root, "a.txt"), "side\n");
  git("commit", "-q", "-a", "-m", "side");
  git("checkout", "-q", "--detach", "main");
  writeFileSync(join(root, "a.txt"), "main\n");
  git("commit", "-q", "-a", "-m", "main");
  expect(() => git("merge", "side")).toThrow();
  const second = stateOf(await record());
  expect(second.head).toBe(git("rev-parse", "HEAD"));
  expect(await changesOf(first, second)).toEqual(["modified a.txt +5 -1"]);
});

it("names that are no text are listed quoted, and their patches are found", async () => {
  const { root, record } = await repository({ "a.txt": "one\n" });
  const before = stateOf(await record());
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from("caf\xe9 [1]*", "latin1")]);
  writeFileSync(name, "bytes\n");
  writeFileSync(join(root, "caf? [1]*"), "other\rdiff --git a/x b/x\n");
  writeFileSync(join(root, 'quote".txt'), "q\n");
  const after = stateOf(await record());
  const { files } = await diffStates({ from: before, to: after }, { firstFile: 0, offset: 0 });
  expect(files.map(({ path, patch }) => [path, patch])).toEqual([
    ["caf? [1]*", "@@ -0,0 +1 @@\n+other\rdiff --git a/x b/x\n"],
    ['"caf\\351 [1]*"', "@@ -0,0 +1 @@\n+bytes\n"],
    ['quote".txt', "@@ -0,0 +1 @@\n+q\n"],
  ]);
  const request = { firstFile: 0, path: '"caf\\351 [1]*"', offset: 3 };
  const one = await diffStates({ from: before, to: after }, request);
  expect(one.files.map(({ patch }) => patch)).toEqual(["-0,0 +1 @@\n+bytes\n"]);
});

it("long patches come in pieces, and many files in pages", async () => {
  const { root, record } = await repository({ "a.txt": "one\n" });
  const before = stateOf(await record());
  for (let number = 0; number < 120; number += 1) writeFileSync(join(root, `f${1_000 + number}`), "x\n");
  writeFileSync(join(root, "long"), "0123456789\n".repeat(10_000));
  const after = stateOf(await record());
  const range = { from: before, to: after };
  const first = await diffStates(range, { firstFile: 0, offset: 0 });
  expect(first).toMatchObject({ totals: { files: 121, additions: 10_120 }, nextFile: 100 });
  const second = await diffStates(range, { firstFile: 100, offset: 0 });
  expect(second).toMatchObject({ nextFile: null });
  expect(second.files.at(-1)).toMatchObject({ path: "long", additions: 10_000, patch: null });
  let text = "";
  for (let offset: number | null = 0; offset !== null; ) {
    const { files } = await diffStates(range, { firstFile: 0, path: "long", offset });
    text += files[0]?.patch ?? "";
    offset = files[0]?.nextOffset ?? null;
  }
  expect(text).toBe(`@@ -0,0 +1,10000 @@\n${"+0123456789\n".repeat(10_000)}`);
});

it("a state is restored into a new worktree, on its commit, and nothing else changes", async () => {
  const { root, git, record } = await repository({ "a.txt": "one\n", "link.txt": "x\n" });
  writeFileSync(join(root, "a.txt"), "changed\n");
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(root, "run.sh"), 0o755);
  rmSync(join(root, "link.txt"));
  symlinkSync("a.txt", join(root, "link.txt"));
  const state = stateOf(await record());
  git("commit", "-q", "--allow-empty", "-m", "second");
  writeFileSync(join(root, "a.txt"), "later\n");
  const there = `${root}-restored`;
  const untouched = [git("status", "--short"), git("for-each-ref")];
  await restoreState(state, there);
  try {
    expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("changed\n");
    expect(gitIn(there, "rev-parse", "HEAD")).toBe(state.head);
    expect(gitIn(there, "status", "--short").split("\n")).toEqual(["M  a.txt", "T  link.txt", "A  run.sh"]);
    expect([git("status", "--short"), git("for-each-ref")]).toEqual(untouched);
    await expect(restoreState(state, there)).rejects.toMatchObject({ code: "VCS_WORKSPACE_CREATE_FAILED" });
    expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("changed\n");
  } finally {
    await removeRestored(state, there);
  }
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});
