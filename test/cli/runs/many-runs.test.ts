import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { FAILING, GATED, HELLO } from "../support/workflows.js";

interface Runs {
  runs: { runId: string; status?: string; runState?: string }[];
}

async function workspaceOfThree() {
  const workspace = new Workspace({ "gated.tsx": GATED, "hello.tsx": HELLO, "failing.tsx": FAILING });
  await workspace.treadle(["up", "hello.tsx", "--run-id", "h"]);
  await workspace.treadle(["up", "failing.tsx", "--run-id", "f"]);
  await workspace.treadle(["up", "gated.tsx", "--run-id", "g"]);
  return workspace;
}

describe("ps", () => {
  it("lists runs newest first, by status, workflow and page", async () => {
    const workspace = await workspaceOfThree();
    const ids = async (...options: string[]) =>
      (await workspace.json<Runs>(["ps", ...options])).document.runs.map(({ runId }) => runId);
    expect(await ids()).toEqual(["g", "f", "h"]);
    expect(await ids("--status", "failed,finished")).toEqual(["f", "h"]);
    expect(await ids("--workflow", "gated")).toEqual(["g"]);
    const { document } = await workspace.json<Runs & { nextCursor: string }>(["ps", "--limit", "2"]);
    expect(await ids("--cursor", document.nextCursor)).toEqual(["h"]);
    const { stdout } = await workspace.treadle(["ps"]);
    expect(stdout).toMatch(/^g +gated +waiting-approval +0\/\d/m);
    expect(stdout).toMatch(/^f +failing +failed +1\/3, 1 failed/m);
  });
});

describe("cancel", () => {
  it("chooses runs by filter, previews them, and touches none without a yes", async () => {
    const workspace = await workspaceOfThree();
    const preview = await workspace.json<Runs>(["cancel", "--workflow", "gated", "--dry-run"]);
    expect(preview.document).toMatchObject({ dryRun: true, runs: [{ runId: "g" }] });
    const asked = await workspace.treadle(["cancel", "--workflow", "gated"]);
    expect(asked).toMatchObject({ code: 4, stderr: expect.stringContaining("--yes") });
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ status: "waiting-approval" });
    const done = await workspace.json<Runs>([
      "cancel",
      "--status",
      "waiting-approval",
      "--yes",
      "--reason",
      "late",
    ]);
    expect(done).toMatchObject({
      code: 0,
      document: { runs: [{ ok: true, runId: "g", status: "cancelled" }] },
    });
    const { stdout } = await workspace.treadle(["events", "g", "--type", "RunCancelled"]);
    expect(stdout).toContain("late");
  });

  it("reports what could not be cancelled and exits with 1", async () => {
    const workspace = await workspaceOfThree();
    const { code, document } = await workspace.json([
      "cancel",
      "--status",
      "finished,waiting-approval",
      "--yes",
    ]);
    expect(code).toBe(1);
    expect(document).toMatchObject({
      runs: [
        { runId: "g", ok: true },
        { runId: "h", ok: false, error: { code: "RUN_NOT_ACTIVE" } },
      ],
    });
  });

  it("refuses a run together with filters that choose among many", async () => {
    const workspace = await workspaceOfThree();
    for (const filter of [
      ["--status", "failed"],
      ["--workflow", "other"],
      ["--older-than", "1h"],
    ]) {
      const { code, document } = await workspace.json(["cancel", "g", ...filter]);
      expect(code).toBe(4);
      expect(document).toMatchObject({
        error: { code: "CLI_USAGE", summary: expect.stringContaining(filter[0] as string) },
      });
    }
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ status: "waiting-approval" });
  });

  it("obeys --older-than", async () => {
    const workspace = await workspaceOfThree();
    const { document } = await workspace.json<Runs>(["cancel", "--older-than", "1h", "--dry-run"]);
    expect(document.runs).toEqual([]);
  });
});

describe("prune", () => {
  it("deletes only runs that have ended, of the age and status that were asked for", async () => {
    const workspace = await workspaceOfThree();
    const prune = async (...options: string[]) =>
      (await workspace.json<Runs>(["prune", ...options])).document.runs.map(({ runId }) => runId);
    expect(await prune("--yes")).toEqual([]);
    expect(await prune("--older-than", "0ms", "--dry-run")).toEqual(["f", "h"]);
    expect(await prune("--older-than", "0ms", "--status", "failed", "--yes")).toEqual(["f"]);
    expect((await workspace.treadle(["prune", "--older-than", "0ms"])).code).toBe(4);
    expect((await workspace.json<Runs>(["ps"])).document.runs.map(({ runId }) => runId)).toEqual(["g", "h"]);
  });
});

describe("retry-task", () => {
  it("shows what would run again, and runs it again", async () => {
    const workspace = await workspaceOfThree();
    const preview = await workspace.json(["retry-task", "f", "fine", "--dry-run"]);
    expect(preview.document).toMatchObject({
      dryRun: true,
      resetNodes: ["fine::0", "broken::0", "after::0"],
    });
    const reset = await workspace.json(["retry-task", "h", "greet", "--yes"]);
    expect(reset.document).toMatchObject({ resetNodes: ["greet::0"], resume: "treadle up --resume h" });
    const again = await workspace.json(["up", "--resume", "h"]);
    expect(again).toMatchObject({ code: 0, document: { status: "finished" } });
    expect(
      (await workspace.json<{ attempts: unknown[] }>(["node", "h", "greet"])).document.attempts,
    ).toHaveLength(2);
  });

  it("resets nothing before a yes", async () => {
    const workspace = await workspaceOfThree();
    const asked = await workspace.treadle(["retry-task", "h", "greet"]);
    expect(asked).toMatchObject({ code: 4, stderr: expect.stringContaining("--yes") });
    expect(asked.stderr).toContain("These would run again:\ngreet\n");
    expect((await workspace.json(["output", "h", "greet"])).code).toBe(0);
  });

  it("continues at once with --up", async () => {
    const workspace = await workspaceOfThree();
    const { code, document } = await workspace.json(["retry-task", "h", "greet", "--up", "--yes"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ runId: "h", status: "finished" });
  });
});

describe("inspect", () => {
  it("shows state, tasks and the first failure", async () => {
    const workspace = await workspaceOfThree();
    const { stdout } = await workspace.treadle(["inspect", "f"]);
    expect(stdout).toMatch(/✓ fine +finished/);
    expect(stdout).toMatch(/✗ broken +failed +attempt 1 .*the disk is on fire/);
    expect(stdout).toContain("failing.tsx");
  });
});
