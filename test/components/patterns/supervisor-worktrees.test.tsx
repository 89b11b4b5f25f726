import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Supervisor, service, outputs } = createService(
  {
    plan: z.object({
      tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })),
    }),
    work: z.object({ folder: z.string(), branch: z.string(), files: z.array(z.string()) }),
    review: z.object({ allDone: z.boolean(), retriable: z.array(z.string()) }),
    output: z.object({ summary: z.string() }),
  },
  { dbPath: ":memory:" },
);

let repo: string;

function git(...args: string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: repo });
}

beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(tmpdir(), "treadle-supervisor-")));
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "page.txt"), "page\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
});

afterEach(() => rmSync(repo, { recursive: true, force: true }));

it("keeps its workers apart in worktrees of their own, in which each continues in the next round", async () => {
  const seen: unknown[] = [];
  const worker = (work: (folder: string) => void) => ({
    generate: async ({ rootDir = "" }: { rootDir?: string } = {}) => {
      const files = readdirSync(rootDir).filter((name) => name !== ".git");
      const row = { folder: rootDir, branch: branchOf(rootDir), files };
      work(rootDir);
      seen.push(row);
      return { output: row };
    },
  });
  const tasks = ["coder", "reader"].map((workerType) => ({
    id: workerType,
    workerType,
    instructions: "Go.",
  }));
  const answers: unknown[] = [
    { tasks },
    { allDone: false, retriable: ["coder"] },
    { allDone: true, retriable: [] },
    { summary: "Done." },
  ];
  const boss = { generate: async () => ({ output: answers.shift() }) };
  const workflow = service(() => (
    <Workflow name="supervised">
      <Supervisor
        id="s"
        boss={boss}
        workers={{
          coder: worker((folder) => writeFileSync(join(folder, "form.txt"), "form\n")),
          reader: worker(() => {}),
        }}
        planOutput={outputs.plan}
        workerOutput={outputs.work}
        reviewOutput={outputs.review}
        finalOutput={outputs.output}
        maxConcurrency={1}
        useWorktrees
      />
    </Workflow>
  ));
  expect((await runWorkflow(workflow, { input: {}, rootDir: repo })).status).toBe("finished");
  const place = (type: string) => ({
    folder: join(repo, `.worktrees/s-worker-${type}`),
    branch: `worker/s-worker-${type}`,
  });
  expect(seen).toEqual([
    { ...place("coder"), files: ["page.txt"] },
    { ...place("reader"), files: ["page.txt"] },
    { ...place("coder"), files: ["form.txt", "page.txt"] },
  ]);
  // Uncommitted changes stay where they are, untouched worktrees go.
  expect(readFileSync(join(place("coder").folder, "form.txt"), "utf8")).toBe("form\n");
  expect(existsSync(place("reader").folder)).toBe(false);
  expect(existsSync(join(repo, "form.txt"))).toBe(false);
});

/** The branch that is checked out in a worktree. */
function branchOf(folder: string): string {
  const gitFolder = readFileSync(join(folder, ".git"), "utf8").replace("gitdir: ", "").trim();
  return readFileSync(join(gitFolder, "HEAD"), "utf8").replace("ref: refs/heads/", "").trim();
}
