import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

const isInstalled = spawnSync("jj", ["--version"]).status === 0;

let repo: string;

function jj(cwd: string, ...args: string[]): string {
  const config = ["--config", "user.name=t", "--config", "user.email=t@example.com"];
  return execFileSync("jj", [...config, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

/** Bookmarks of a workspace's own commit and the commit before. */
const bookmarksOf = (cwd: string) =>
  jj(cwd, "log", "--no-graph", "-r", "@|@-", "-T", 'local_bookmarks.map(|b| b.name()).join(",") ++ "\\n"')
    .split("\n")
    .filter((name) => name !== "");

const { Workflow, Parallel, Worktree, Task, service, outputs } = createService(
  { place: z.object({ folder: z.string(), bookmarks: z.array(z.string()) }) },
  { dbPath: ":memory:" },
);

/** One task in the workspace `.trees/one`. */
function working(
  work: (rootDir: string) => void,
  props: { branch?: string; baseBranch?: string } = { branch: "work/one" },
) {
  return service(() => (
    <Workflow name="workspace">
      <Worktree path=".trees/one" {...props}>
        <Task id="work" output={outputs.place}>
          {(_inputs, { rootDir }) => {
            work(rootDir);
            return { folder: rootDir, bookmarks: bookmarksOf(rootDir) };
          }}
        </Task>
      </Worktree>
    </Workflow>
  ));
}

const run = (workflow: ReturnType<typeof working>) => runWorkflow(workflow, { input: {}, rootDir: repo });
const workspaces = () => jj(repo, "workspace", "list").split("\n").length;

describe.skipIf(!isInstalled)("a Worktree in a jj repository", () => {
  beforeEach(() => {
    repo = realpathSync(mkdtempSync(join(tmpdir(), "treadle-jj-")));
    jj(repo, "git", "init", "--no-colocate");
    writeFileSync(join(repo, "a.txt"), "one\n");
    writeFileSync(join(repo, ".gitignore"), ".trees/\nignored.txt\n");
    jj(repo, "commit", "-m", "first");
    jj(repo, "bookmark", "create", "main", "-r", "@-");
  });

  it("gives parallel tasks workspaces of their own, with bookmarks, and removes clean ones at the end", async () => {
    const seen: { folder: string; bookmarks: string[]; text: string }[] = [];
    const workflow = service(() => (
      <Workflow name="workspaces">
        <Parallel>
          {["a", "b", "c"].map((name) => (
            <Worktree key={name} path={`.trees/${name}`} branch={`work/${name}`}>
              <Task id={name} output={outputs.place}>
                {(_inputs, { rootDir: folder }) => {
                  const place = { folder, bookmarks: bookmarksOf(folder) };
                  seen.push({ ...place, text: readFileSync(join(folder, "a.txt"), "utf8") });
                  return place;
                }}
              </Task>
            </Worktree>
          ))}
        </Parallel>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("finished");
    expect(seen.sort((a, b) => (a.folder < b.folder ? -1 : 1))).toEqual(
      ["a", "b", "c"].map((name) => ({
        folder: join(repo, ".trees", name),
        bookmarks: [`work/${name}`, "main"],
        text: "one\n",
      })),
    );
    expect(workspaces()).toBe(1);
    for (const name of ["a", "b", "c"]) expect(existsSync(join(repo, ".trees", name))).toBe(false);
  });

  it("leaves a workspace with work that is not committed where it is, and the bookmark follows the work", async () => {
    const { status } = await run(working((folder) => writeFileSync(join(folder, "new.txt"), "unsaved")));
    expect(status).toBe("finished");
    expect(existsSync(join(repo, ".trees", "one", "new.txt"))).toBe(true);
    expect(workspaces()).toBe(2);
    expect(jj(repo, "file", "show", "-r", "work/one", "new.txt")).toBe("unsaved");
  });

  it("keeps what was committed when it removes the workspace", async () => {
    await run(
      working((folder) => {
        writeFileSync(join(folder, "new.txt"), "work");
        jj(folder, "commit", "-m", "work");
      }),
    );
    expect(existsSync(join(repo, ".trees", "one"))).toBe(false);
    expect(jj(repo, "file", "show", "-r", "work/one", "new.txt")).toBe("work");
  });

  it("continues from a bookmark that exists, and may be used again after it was removed", async () => {
    const commit = (folder: string) => {
      writeFileSync(join(folder, "new.txt"), "work");
      jj(folder, "commit", "-m", "work");
    };
    await run(working(commit));
    let text = "";
    const { status } = await run(
      working((folder) => {
        text = readFileSync(join(folder, "new.txt"), "utf8");
      }),
    );
    expect([status, text]).toEqual(["finished", "work"]);
  });

  it("takes a workspace that is there as it stands", async () => {
    await run(working((folder) => writeFileSync(join(folder, "new.txt"), "first run")));
    let text = "";
    await run(
      working((folder) => {
        text = readFileSync(join(folder, "new.txt"), "utf8");
      }),
    );
    expect(text).toBe("first run");
  });

  it("makes a workspace anew whose folder was deleted", async () => {
    await run(working((folder) => writeFileSync(join(folder, "new.txt"), "lost?")));
    rmSync(join(repo, ".trees", "one"), { recursive: true });
    let text = "";
    const { status } = await run(
      working((folder) => {
        text = readFileSync(join(folder, "new.txt"), "utf8");
      }),
    );
    expect([status, text]).toEqual(["finished", "lost?"]);
  });

  it("needs no bookmark of its own", async () => {
    let bookmarks: string[] = [];
    await run(
      working((folder) => {
        bookmarks = bookmarksOf(folder);
      }, {}),
    );
    expect(bookmarks).toEqual(["main"]);
  });

  it("fails once with the base's name when there is no such bookmark", async () => {
    const { error } = await run(working(() => undefined, { branch: "work/one", baseBranch: "release" }));
    expect(error).toMatchObject({ code: "WORKTREE_CREATE_FAILED", details: { nodeId: "work", attempt: 1 } });
    expect(error?.message).toContain("release");
  });

  it("does not touch a folder that is something else", async () => {
    execFileSync("mkdir", ["-p", join(repo, ".trees", "one")]);
    writeFileSync(join(repo, ".trees", "one", "mine.txt"), "mine");
    const { error } = await run(working(() => undefined));
    expect(error?.message).toContain("no workspace of this repository");
    expect(readFileSync(join(repo, ".trees", "one", "mine.txt"), "utf8")).toBe("mine");
  });
});
