import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { GATED, HEAD, HELLO } from "../support/workflows.js";

/** Fails until the file `mended` is there. */
const MENDABLE = `${HEAD}
import { existsSync } from "node:fs";
import { join } from "node:path";
const here = import.meta.dirname;
const { Workflow, Task, service, outputs } = createService({ output: z.object({ ok: z.boolean() }) });
export default service(() => (
  <Workflow name="mendable">
    <Task id="try" noRetry output={outputs.output}>
      {() => { if (!existsSync(join(here, "mended"))) throw new Error("still broken"); return { ok: true }; }}
    </Task>
  </Workflow>
));
`;

interface Bulk {
  dryRun: boolean;
  runs: { ok?: boolean; runId: string; status?: string; error?: { code: string } }[];
  done?: number;
  failed?: number;
}

/** Two failed runs, one that waits and one that has finished. */
async function workspaceOfFour(): Promise<Workspace> {
  const workspace = new Workspace({ "mendable.tsx": MENDABLE, "gated.tsx": GATED, "hello.tsx": HELLO });
  for (const [file, id] of [
    ["mendable", "m1"],
    ["mendable", "m2"],
    ["gated", "g1"],
    ["hello", "h1"],
  ]) {
    await workspace.treadle(["up", `${file}.tsx`, "--run-id", `${id}`, "--no-wait"]);
  }
  return workspace;
}

describe("many runs at once", () => {
  it("are shown before anything is done, and reported one by one, with what failed counted", async () => {
    const workspace = await workspaceOfFour();
    const preview = await workspace.treadle(["retry", "--status", "failed"]);
    expect(preview).toMatchObject({ code: 4, stdout: "" });
    expect(preview.stderr).toMatch(/^m2 +mendable +failed/m);
    expect(preview.stderr).toContain("--yes");
    const dry = await workspace.json<Bulk>(["retry", "--status", "failed", "--dry-run"]);
    expect(dry.document).toEqual({
      dryRun: true,
      runs: ["m2", "m1"].map((runId) => ({
        runId,
        workflowName: "mendable",
        status: "failed",
        runState: "failed",
      })),
    });

    const again = await workspace.treadle(["retry", "--status", "failed", "--limit", "1", "--yes"]);
    expect(again).toMatchObject({ code: 1, stdout: "✗ m2 failed again\n" });
    expect(again.stderr).toContain("0 have got on, 1 failed");

    writeFileSync(workspace.path("mended"), "");
    const mended = await workspace.json<Bulk>(["retry", "--workflow", "mendable", "--yes"]);
    expect(mended).toMatchObject({ code: 0, document: { dryRun: false, done: 2, failed: 0 } });
    expect(mended.document.runs).toEqual(
      ["m2", "m1"].map((runId) => ({ ok: true, runId, status: "finished" })),
    );
    const both = await workspace.json<Bulk>(["retry", "h1", "g1", "--yes"]);
    expect(both).toMatchObject({
      code: 0,
      document: {
        runs: [
          { runId: "h1", ok: true, status: "finished" },
          { runId: "g1", ok: true, status: "waiting-approval" },
        ],
      },
    });

    const ended = await workspace.treadle(["cancel", "--status", "waiting-approval,finished", "--yes"]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^✓ g1 cancelled$/m);
    expect(ended.stdout).toMatch(/^✗ h1 RUN_NOT_ACTIVE/m);
    expect(ended.stderr).toContain("1 cancelled, 3 failed");

    const kept = await workspace.treadle([
      "prune",
      "--older-than",
      "0ms",
      "--status",
      "finished",
      "--dry-run",
    ]);
    expect(kept.stdout).toMatch(/^h1 +hello +finished/m);
    const pruned = await workspace.treadle(["prune", "--older-than", "0ms", "--limit", "2", "--yes"]);
    expect(pruned).toMatchObject({ code: 0 });
    expect(pruned.stdout.split("\n")).toHaveLength(3);
    expect(pruned.stderr).toContain("2 deleted");

    expect((await workspace.treadle(["retry", "--yes"])).code).toBe(4);
    expect((await workspace.treadle(["retry", "g1", "--status", "failed", "--yes"])).stderr).toContain(
      "--status chooses among many runs",
    );
  });
});
