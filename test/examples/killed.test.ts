import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { ProcessWorkspace } from "../cli/support/treadle.js";
import { EXAMPLES } from "./support/example-files.js";

interface Event {
  type: string;
  nodeId?: string;
}

function workspaceWithExamples(files: Readonly<Record<string, string>> = {}): ProcessWorkspace {
  const workspace = new ProcessWorkspace(files);
  symlinkSync(EXAMPLES, workspace.path("examples"));
  return workspace;
}

/** How often each task finished, by id. */
async function finishesOf(workspace: ProcessWorkspace, runId: string): Promise<Record<string, number>> {
  const { stdout } = await workspace.treadle(["events", runId, "--json"]);
  const counts: Record<string, number> = {};
  for (const line of stdout.trim().split("\n")) {
    const { type, nodeId } = JSON.parse(line) as Event;
    if (type !== "NodeFinished" || nodeId === undefined) continue;
    counts[nodeId] = (counts[nodeId] ?? 0) + 1;
  }
  return counts;
}

test("a report that is killed half-way continues where it was; no finished batch is counted again", async () => {
  const sources = Array.from({ length: 150 }, (_, index) => [`code/f${index}.ts`, "one\ntwo\n"]);
  const workspace = workspaceWithExamples(Object.fromEntries(sources));
  const first = workspace.start([
    ...["up", "examples/02-repository-report.tsx", "--run-id", "report", "--max-concurrency", "2"],
    ...["--set", "root=code", "--set", "pauseMs=400"],
  ]);
  await first.seen("✓ batch-2");
  first.process.kill("SIGKILL");
  expect((await first.done).signal).toBe("SIGKILL");
  const before = await finishesOf(workspace, "report");
  expect(before).toMatchObject({ scan: 1, "batch-2": 1 });
  expect(before).not.toHaveProperty("summary");

  const { code, document } = await workspace.json<{ output: object }>(["up", "--resume", "report"]);
  expect({ code, output: document.output }).toMatchObject({ code: 0, output: { files: 150, lines: 300 } });
  const after = await finishesOf(workspace, "report");
  expect(Object.keys(after)).toHaveLength(1 + 6 + 2);
  expect(Object.values(after).every((finishes) => finishes === 1)).toBe(true);
});

test("an approval outlives its process: decided while nothing runs, taken up by the next one", async () => {
  const workspace = workspaceWithExamples();
  const first = workspace.start(["up", "examples/07-approval.tsx", "--run-id", "release", "--wait"]);
  await first.seen("waiting for approval");
  first.process.kill("SIGKILL");
  expect((await first.done).signal).toBe("SIGKILL");

  const inbox = await workspace.treadle(["inbox"]);
  expect(inbox.stdout).toContain("Release 1.4.0?");
  const decided = await workspace.treadle([
    ...["approve", "release", "ship", "--by", "ada", "--note", "tests are green", "--yes"],
  ]);
  expect(decided.code).toBe(0);

  const { code, document } = await workspace.json<{ output: object }>(["up", "--resume", "release"]);
  expect({ code, output: document.output }).toEqual({
    code: 0,
    output: { released: true, version: "1.4.0", by: "ada" },
  });
  expect(await finishesOf(workspace, "release")).toEqual({ test: 1, build: 1, ship: 1, release: 1 });
});
