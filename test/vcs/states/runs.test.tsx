import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createService,
  diffNode,
  forkRun,
  listEvents,
  pruneRuns,
  replayRun,
  rewindRun,
  runWorkflow,
  write,
} from "treadle";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { workspace } from "../../tools/support/workspace.js";
import { recordStates, repository } from "./repository.js";

beforeEach(recordStates);

const done = z.object({ ok: z.boolean() });
const { Workflow, Sequence, Parallel, Subflow, Task, Worktree, service, outputs } = createService(
  { done, output: done },
  { dbPath: ":memory:" },
);

/** An agent that does this in the folder of its task, and answers then. */
const agentThat = (work: (rootDir: string) => unknown) => ({
  id: "worker",
  generate: async ({ rootDir }: { rootDir?: string }) => {
    await work(rootDir ?? ".");
    return { text: '{"ok":true}', output: { ok: true } };
  },
});
const put = (name: string, text: string) => agentThat((root) => writeFileSync(join(root, name), text));

const shown = async (runId: string, nodeId: string, more: object = {}) => {
  const { files, source, othersAtWork, isUntilNext, reason } = await diffNode(workflow, {
    runId,
    nodeId,
    ...more,
  });
  const names = files.map(({ status, path }) => `${status} ${path}`);
  return { names, source, others: othersAtWork, isUntilNext, reason };
};
const known = { source: "git", others: [] as string[], isUntilNext: false, reason: null };

let tries = 0;
const workflow = service(() => (
  <Workflow name="recorded">
    <Sequence>
      <Task id="first" agent={put("first.txt", "1\n")} output={outputs.done}>
        Write.
      </Task>
      <Parallel>
        <Task id="left" agent={put("left.txt", "l\n")} output={outputs.done}>
          Write.
        </Task>
        <Task id="right" agent={put("right.txt", "r\n")} output={outputs.done}>
          Write.
        </Task>
      </Parallel>
      <Worktree path=".trees/apart" branch="work/apart">
        <Task id="apart" output={outputs.done}>
          {(_rows, { rootDir }) => {
            writeFileSync(join(rootDir, "apart.txt"), "a\n");
            return { ok: true };
          }}
        </Task>
      </Worktree>
      <Task id="tool" output={outputs.done}>
        {async () => {
          await write.execute({ path: "tool.txt", content: "t\n" });
          return { ok: true };
        }}
      </Task>
      <Task
        id="twice"
        retries={1}
        output={outputs.done}
        agent={agentThat((root) => {
          tries += 1;
          writeFileSync(join(root, `twice-${tries}.txt`), "x\n");
          if (tries === 1) throw new Error("once more");
        })}
      >
        Write.
      </Task>
      <Task id="trivial" output={outputs.done}>
        {() => ({ ok: true })}
      </Task>
    </Sequence>
  </Workflow>
));

it("a run in a repository keeps what each task has changed, as long as it is kept itself", async () => {
  tries = 0;
  const { root, git } = await repository({ "a.txt": "a\n", ".gitignore": ".trees/\n" });
  const untouched = () => [
    git("rev-parse", "HEAD"),
    git("stash", "list"),
    git("diff", "--cached", "--name-only"),
  ];
  const before = untouched();
  const { runId, status } = await runWorkflow(workflow, { rootDir: root });
  expect(status).toBe("finished");
  expect(untouched()).toEqual(before);
  expect(await shown(runId, "first")).toEqual({ ...known, names: ["added first.txt"] });
  // Both were at work in one folder at once: either may have written either file.
  expect((await shown(runId, "left")).others).toEqual(["right::0"]);
  expect((await shown(runId, "right")).others).toEqual(["left::0"]);
  const both = [...(await shown(runId, "left")).names, ...(await shown(runId, "right")).names];
  expect(new Set(both)).toEqual(new Set(["added left.txt", "added right.txt"]));
  expect(await shown(runId, "apart")).toEqual({ ...known, names: ["added apart.txt"] });
  expect(await shown(runId, "tool")).toEqual({ ...known, names: ["added tool.txt"] });
  expect(await shown(runId, "twice", { attempt: 1 })).toEqual({ ...known, names: ["added twice-1.txt"] });
  expect(await shown(runId, "twice")).toEqual({ ...known, names: ["added twice-2.txt"] });
  expect(await shown(runId, "trivial")).toMatchObject({ names: [], source: null });
  expect((await shown(runId, "trivial")).reason).toContain("called no tool");

  const fork = await forkRun(workflow, { runId, nodeId: "tool" });
  expect(await shown(fork.runId as string, "first")).toEqual({ ...known, names: ["added first.txt"] });

  await expect(diffNode(workflow, { runId, nodeId: "first", path: "b" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(diffNode(workflow, { runId, nodeId: "first", attempt: 7 })).rejects.toMatchObject({
    code: "NODE_NOT_FOUND",
  });

  await pruneRuns(workflow, { olderThanMs: 0, statuses: ["finished"] });
  expect(git("for-each-ref", "refs/treadle")).toBe("");
  expect(readdirSync(join(root, ".git/treadle"))).toEqual([]);
});

it("a run that is told not to, and one in no repository, records nothing", async () => {
  const { root, git } = await repository({ "a.txt": "a\n" });
  const simple = service(() => (
    <Workflow name="simple">
      <Task id="first" agent={put("first.txt", "1\n")} output={outputs.done}>
        Write.
      </Task>
    </Workflow>
  ));
  const off = await runWorkflow(simple, { rootDir: root, recordVcs: false });
  expect(off.status).toBe("finished");
  expect(git("for-each-ref", "refs/treadle")).toBe("");
  expect(existsSync(join(root, ".git/treadle"))).toBe(false);
  const files = await listEvents(simple, off.runId, { types: ["FilesRecorded", "FilesNotRecorded"] });
  expect(files).toEqual([]);
});

it("a replay can begin with the files of its frame, in a worktree of its own", async () => {
  const { root, git } = await repository({ "a.txt": "a\n" });
  const seen: string[][] = [];
  const look = service(() => (
    <Workflow name="look">
      <Sequence>
        <Task id="first" agent={put("first.txt", "1\n")} output={outputs.done}>
          Write.
        </Task>
        <Task
          id="second"
          output={outputs.done}
          agent={agentThat((folder) => {
            seen.push([folder, ...readdirSync(folder).filter((name) => name.endsWith(".txt"))]);
            writeFileSync(join(folder, "second.txt"), "2\n");
          })}
        >
          Write.
        </Task>
      </Sequence>
    </Workflow>
  ));
  const { runId } = await runWorkflow(look, { rootDir: root });
  const ask = { runId, nodeId: "second", restoreVcs: true, newRunId: "again" };
  const preview = await replayRun(look, { ...ask, dryRun: true });
  expect(preview).toMatchObject({ runId: null, restored: { worktree: null, rootDir: null } });
  const there = `${root}-again`;
  expect(existsSync(there)).toBe(false);
  const untouched = git("status", "--short");
  const { restored, result } = await replayRun(look, ask);
  try {
    expect(restored).toEqual({ commit: preview.restored?.commit, worktree: there, rootDir: there });
    expect(result?.status).toBe("finished");
    expect(seen).toEqual([
      [root, "a.txt", "first.txt"],
      [there, "a.txt", "first.txt"],
    ]);
    expect(git("status", "--short")).toBe(untouched);
    // The files first, and no run without them.
    const taken = replayRun(look, { ...ask, acceptEffects: true });
    await expect(taken).rejects.toMatchObject({ code: "VCS_WORKSPACE_CREATE_FAILED" });
  } finally {
    git("worktree", "remove", "--force", there);
  }
  const twice = replayRun(look, { ...ask, label: "the id is taken" });
  await expect(twice).rejects.toMatchObject({ code: "RUN_EXISTS" });
  expect(existsSync(there)).toBe(false);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});

it("a replay with files is refused where there are none, and says why", async () => {
  const simple = service(() => (
    <Workflow name="trivial">
      <Task id="only" output={outputs.done}>
        {() => ({ ok: true })}
      </Task>
    </Workflow>
  ));
  const outside = await runWorkflow(simple, { rootDir: await workspace() });
  await expect(replayRun(simple, { runId: outside.runId, restoreVcs: true })).rejects.toMatchObject({
    code: "VCS_NOT_FOUND",
  });
  const { root } = await repository({ "a.txt": "a\n" });
  const unrecorded = await runWorkflow(simple, { rootDir: root });
  await expect(replayRun(simple, { runId: unrecorded.runId, restoreVcs: true })).rejects.toMatchObject({
    code: "SNAPSHOT_NOT_FOUND",
  });
});

it("a rewind forgets what kept the files of the child runs that it drops", async () => {
  const { root, git } = await repository({ "a.txt": "a\n" });
  const inner = service(() => (
    <Workflow name="inner">
      <Task id="in" agent={put("in.txt", "i\n")} output={outputs.output}>
        Write.
      </Task>
    </Workflow>
  ));
  const outer = service(() => (
    <Workflow name="outer">
      <Sequence>
        <Task id="first" agent={put("first.txt", "1\n")} output={outputs.done}>
          Write.
        </Task>
        <Subflow id="sub" workflow={inner} output={outputs.done} />
      </Sequence>
    </Workflow>
  ));
  const { runId, status } = await runWorkflow(outer, { rootDir: root });
  expect(status).toBe("finished");
  const refs = () => git("for-each-ref", "--format=%(refname)", "refs/treadle").split("\n");
  const before = refs();
  expect(before).toHaveLength(2);
  await rewindRun(outer, { runId, frameNo: 1 });
  const [left, ...others] = refs();
  expect(others).toEqual([]);
  expect(before).toContain(left);
  expect((await diffNode(outer, { runId, nodeId: "first" })).files).toHaveLength(1);
});
