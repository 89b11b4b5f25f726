import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approveNode, denyNode, listApprovals } from "../../../src/index.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { makeDeepFolders } from "../../support/deep-folders.js";
import { readFolder } from "../../support/folder-content.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

/** Changes the file of the workspace in place of a workflow. */
const writes = (content: string): SandboxProvider => ({
  id: "writer",
  run({ workspacePath }) {
    writeFileSync(join(workspacePath, "notes"), content);
    return Promise.resolve({ status: "finished", output: { text: "done" } });
  },
});

const files = (rootDir: string) =>
  Object.fromEntries(Object.entries(readFolder(rootDir)).filter(([path]) => !path.startsWith(".service/")));
const BEFORE = { notes: "-one\ntwo\n" };
const AFTER = { notes: "-one\nzwei\n" };

describe("the changes of a sandbox", () => {
  it("are shown to a person, and put in place when that person agrees", async () => {
    const { run, workflow, rootDir, types } = sandboxedRun(BEFORE, { provider: writes("one\nzwei\n") });
    expect(await run()).toMatchObject({ status: "waiting-approval" });
    expect(files(rootDir)).toEqual(BEFORE);
    const [asked] = await listApprovals(workflow);
    expect(asked).toMatchObject({
      nodeId: "box-review",
      request: {
        title: "Accept the changes of sandbox box: 1 file, +1 −1?",
        summary: expect.stringContaining("@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n") as string,
        metadata: { sandboxId: "box", changes: [{ path: "notes", operation: "modify" }] },
      },
    });
    await approveNode(workflow, { runId: "r", nodeId: "box-review" });
    expect(await run({ resume: true })).toMatchObject({ status: "finished", output: { text: "done" } });
    expect(files(rootDir)).toEqual(AFTER);
    expect(types().filter((type) => type.startsWith("Sandbox") && type !== "SandboxHeartbeat")).toEqual([
      "SandboxCreated",
      "SandboxShipped",
      "SandboxBundleReceived",
      "SandboxDiffReviewRequested",
      "SandboxCompleted",
      "SandboxDiffAccepted",
    ]);
  });

  it("are dropped when the person does not agree: the node fails with the person's words", async () => {
    const { run, workflow, rootDir, types } = sandboxedRun(BEFORE, { provider: writes("changed\n") });
    await run();
    await denyNode(workflow, { runId: "r", nodeId: "box-review", note: "not like this" });
    expect(await run({ resume: true })).toMatchObject({
      status: "failed",
      error: { code: "APPROVAL_DENIED", message: expect.stringContaining("not like this") as string },
    });
    expect(files(rootDir)).toEqual(BEFORE);
    expect(types()).toContain("SandboxDiffRejected");
  });

  it("are put in place at once with autoAcceptDiffs, and no copy of the files is left", async () => {
    const { run, rootDir } = sandboxedRun(BEFORE, { provider: writes("one\nzwei\n"), autoAcceptDiffs: true });
    expect(await run()).toMatchObject({ status: "finished" });
    expect(files(rootDir)).toEqual(AFTER);
    const attempt = join(rootDir, ".service/sandboxes/r/box-run%400/1");
    expect(readdirSync(attempt).sort()).toEqual([
      "application",
      "changes.patch",
      "request-bundle",
      "result-bundle",
    ]);
  });

  it("stay where they are without reviewDiffs and autoAcceptDiffs", async () => {
    const { run, rootDir } = sandboxedRun(BEFORE, { provider: writes("changed\n"), reviewDiffs: false });
    expect(await run()).toMatchObject({ status: "finished" });
    expect(files(rootDir)).toEqual(BEFORE);
  });

  it("are refused when they are too deep for any path, and what was left is removed", async () => {
    const provider: SandboxProvider = {
      id: "digger",
      run({ workspacePath }) {
        makeDeepFolders(workspacePath);
        return Promise.resolve({ status: "finished", output: { text: "done" } });
      },
    };
    const { run, rootDir } = sandboxedRun(BEFORE, { provider, autoAcceptDiffs: true });
    expect(await run()).toMatchObject({
      status: "failed",
      error: { code: "SANDBOX_BUNDLE_INVALID", message: expect.stringContaining("so deep") as string },
    });
    expect(readdirSync(join(rootDir, ".service/sandboxes/r/box-run%400/1"))).not.toContain("files");
    expect(files(rootDir)).toEqual(BEFORE);
  });

  it("are no question when there are none", async () => {
    const { run } = sandboxedRun(BEFORE, { provider: writes("one\ntwo\n") });
    expect(await run()).toMatchObject({ status: "finished", output: { text: "done" } });
  });

  it("are refused with the hunk when the files have changed meanwhile", async () => {
    const { run, workflow, rootDir } = sandboxedRun(BEFORE, { provider: writes("one\nzwei\n") });
    await run();
    writeFileSync(join(rootDir, "notes"), "one\ndeux\n");
    await approveNode(workflow, { runId: "r", nodeId: "box-review" });
    expect(await run({ resume: true })).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_INVALID",
        message: expect.stringContaining("-two\n+zwei") as string,
      },
    });
    expect(files(rootDir)).toEqual({ notes: "-one\ndeux\n" });
  });

  it("may come as a bundle of the provider's", async () => {
    const diff = "diff --git a/notes b/notes\n--- a/notes\n+++ b/notes\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n";
    const bundle = { seq: 1, baseRef: "x", patches: [{ path: "notes", operation: "modify" as const, diff }] };
    const provider: SandboxProvider = {
      id: "remote",
      run: () => Promise.resolve({ status: "finished", output: { text: "far" }, diffBundle: bundle }),
    };
    const { run, rootDir } = sandboxedRun(BEFORE, { provider, autoAcceptDiffs: true });
    expect(await run()).toMatchObject({ status: "finished", output: { text: "far" } });
    expect(files(rootDir)).toEqual(AFTER);
  });
});
