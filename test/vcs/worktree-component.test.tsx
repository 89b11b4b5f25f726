import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../support/temporary-folder.js";

let repo: string;

function git(...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: repo,
    encoding: "utf8",
  }).trim();
}

beforeEach(() => {
  repo = temporaryFolder("worktree");
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
});

const { Workflow, Parallel, Worktree, Task, service, outputs } = createService(
  { place: z.object({ folder: z.string(), branch: z.string() }) },
  { dbPath: ":memory:" },
);

const where = (_: unknown, { rootDir }: { rootDir: string }) => ({
  folder: rootDir,
  branch: execFileSync("git", ["branch", "--show-current"], { cwd: rootDir, encoding: "utf8" }).trim(),
});

test("parallel tasks in worktrees work on their own branches, and clean trees are removed at the end", async () => {
  const seen: { folder: string; branch: string }[] = [];
  const workflow = service(() => (
    <Workflow name="branches">
      <Parallel>
        {["a", "b", "c", "d"].map((name) => (
          <Worktree key={name} path={`.trees/${name}`} branch={`work/${name}`}>
            <Task id={name} output={outputs.place}>
              {(inputs, runtime) => {
                const place = where(inputs, runtime);
                seen.push(place);
                return place;
              }}
            </Task>
          </Worktree>
        ))}
      </Parallel>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(result.status).toBe("finished");
  expect(seen.map(({ branch }) => branch).sort()).toEqual(["work/a", "work/b", "work/c", "work/d"]);
  expect(seen.map(({ folder }) => folder).sort()).toEqual(
    ["a", "b", "c", "d"].map((name) => join(repo, ".trees", name)),
  );
  expect(existsSync(join(repo, ".trees", "a"))).toBe(false);
});

test("a worktree with uncommitted work is left where it is", async () => {
  const workflow = service(() => (
    <Workflow name="dirty">
      <Worktree path=".trees/dirty" branch="work/dirty">
        <Task id="edit" output={outputs.place}>
          {(inputs, runtime) => {
            writeFileSync(join(runtime.rootDir, "new.txt"), "unsaved");
            return where(inputs, runtime);
          }}
        </Task>
      </Worktree>
    </Workflow>
  ));
  await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(existsSync(join(repo, ".trees", "dirty", "new.txt"))).toBe(true);
});

test("a worktree with a commit that is nowhere else is left where it is", async () => {
  const workflow = service(() => (
    <Workflow name="unpushed">
      <Worktree path=".trees/ahead" branch="work/ahead">
        <Task id="commit" output={outputs.place}>
          {(inputs, runtime) => {
            writeFileSync(join(runtime.rootDir, "new.txt"), "work");
            const args = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
            execFileSync("git", ["add", "."], { cwd: runtime.rootDir });
            execFileSync("git", [...args, "commit", "-q", "-m", "work"], { cwd: runtime.rootDir });
            return where(inputs, runtime);
          }}
        </Task>
      </Worktree>
    </Workflow>
  ));
  await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(existsSync(join(repo, ".trees", "ahead", "new.txt"))).toBe(true);
});

test("a base branch that does not exist fails the task with the branch's name, once", async () => {
  const workflow = service(() => (
    <Workflow name="no-base">
      <Worktree path=".trees/x" branch="work/x" baseBranch="release">
        <Task id="x" output={outputs.place}>
          {where}
        </Task>
      </Worktree>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(result.error).toMatchObject({
    code: "WORKTREE_CREATE_FAILED",
    details: { nodeId: "x", attempt: 1 },
  });
  expect(result.error?.message).toContain("release");
});

test("a branch that is checked out elsewhere names the other worktree", async () => {
  git("worktree", "add", "-q", "-b", "taken", join(repo, ".trees", "other"), "main");
  const workflow = service(() => (
    <Workflow name="clash">
      <Worktree path=".trees/mine" branch="taken">
        <Task id="x" output={outputs.place}>
          {where}
        </Task>
      </Worktree>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(result.error?.message).toContain(join(repo, ".trees", "other"));
});

/** What a killed `git worktree add` leaves: a lock, and some of the files. */
function halfMade(name: string, reason: string) {
  git("worktree", "add", "-q", "--no-checkout", "-b", `work/${name}`, join(repo, ".trees", name), "main");
  writeFileSync(join(repo, ".git", "worktrees", name, "locked"), `${reason}\n`);
  writeFileSync(join(repo, ".trees", name, "b.txt"), "");
}

test.each(["initializing", "treadle is making this worktree"])(
  "a worktree whose creation was killed (%s) is made anew, not used as it stands",
  async (reason) => {
    writeFileSync(join(repo, "b.txt"), "two\n");
    git("add", ".");
    git("commit", "-q", "-m", "second");
    halfMade("killed", reason);
    let files: string[] = [];
    const workflow = service(() => (
      <Workflow name="killed">
        <Worktree path=".trees/killed" branch="work/killed">
          <Task id="x" output={outputs.place}>
            {(inputs, runtime) => {
              files = ["a.txt", "b.txt"].map((name) => readFileSync(join(runtime.rootDir, name), "utf8"));
              return where(inputs, runtime);
            }}
          </Task>
        </Worktree>
      </Workflow>
    ));
    const result = await runWorkflow(workflow, { input: {}, rootDir: repo });
    expect(result).toMatchObject({ status: "finished" });
    expect(files).toEqual(["one\n", "two\n"]);
  },
);

test("a worktree that a person made and locked is used as it stands", async () => {
  git("worktree", "add", "-q", "-b", "mine", join(repo, ".trees", "mine"), "main");
  git("worktree", "lock", "--reason", "on a stick", join(repo, ".trees", "mine"));
  writeFileSync(join(repo, ".trees", "mine", "own.txt"), "own");
  const workflow = service(() => (
    <Workflow name="locked">
      <Worktree path=".trees/mine" branch="mine">
        <Task id="x" output={outputs.place}>
          {where}
        </Task>
      </Worktree>
    </Workflow>
  ));
  expect((await runWorkflow(workflow, { input: {}, rootDir: repo })).status).toBe("finished");
  expect(readFileSync(join(repo, ".trees", "mine", "own.txt"), "utf8")).toBe("own");
});

test("without baseBranch, in a repository without main, it starts from what is checked out", async () => {
  git("branch", "-m", "main", "trunk");
  let branches = "";
  const workflow = service(() => (
    <Workflow name="trunk">
      <Worktree path=".trees/x" branch="work/x">
        <Task id="x" output={outputs.place}>
          {(inputs, runtime) => {
            branches = git("rev-parse", "trunk", "work/x");
            return where(inputs, runtime);
          }}
        </Task>
      </Worktree>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, rootDir: repo });
  expect(result.status).toBe("finished");
  const [trunk, work] = branches.split("\n");
  expect(work).toBe(trunk);
  expect(existsSync(join(repo, ".trees", "x"))).toBe(false);
});

test("outside a repository the task fails with VCS_NOT_FOUND", async () => {
  const bare = temporaryFolder("no-repo");
  const workflow = service(() => (
    <Workflow name="nowhere">
      <Worktree path="x">
        <Task id="x" output={outputs.place}>
          {where}
        </Task>
      </Worktree>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, rootDir: bare });
  expect(result.error?.code).toBe("VCS_NOT_FOUND");
});
