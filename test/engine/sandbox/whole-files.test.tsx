import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approveNode, diffNode, listApprovals } from "../../../src/index.js";
import type { DiffPatch, SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { type FolderContent, readFolder } from "../../support/folder-content.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
const bytes = (content: Buffer) => content.toString("latin1");
const BEFORE: FolderContent = {
  notes: "-one\ntwo\n",
  logo: `-${bytes(ALL_BYTES)}`,
  tool: `x${bytes(ALL_BYTES)}`,
};

/** A provider that gives these patches, after what `meanwhile` does. */
const giving = (patches: DiffPatch[], meanwhile: () => void = () => {}): SandboxProvider => ({
  id: "giving",
  run() {
    meanwhile();
    return Promise.resolve({
      status: "finished",
      output: { text: "done" },
      diffBundle: { seq: 1, baseRef: "given", patches },
    });
  },
});

const whole = (path: string, operation: DiffPatch["operation"], content: Buffer, diff = ""): DiffPatch => ({
  path,
  operation,
  diff,
  binaryContent: content.toString("base64"),
});

const files = (rootDir: string) =>
  Object.fromEntries(Object.entries(readFolder(rootDir)).filter(([path]) => !path.startsWith(".service/")));

describe("files that a provider gives as a whole", () => {
  it("are put in place beside patches of lines, with any bytes and with the modes that they have or are given", async () => {
    const turned = Buffer.from(ALL_BYTES.toReversed());
    const { run, workflow, rootDir } = sandboxedRun(BEFORE, {
      provider: giving([
        whole("logo", "modify", turned),
        whole("tool", "modify", turned, "Binary files a/tool and b/tool differ\n"),
        whole("new/run", "add", ALL_BYTES, "diff --git a/new/run b/new/run\nnew file mode 100755\n"),
        whole("new/nothing", "add", Buffer.alloc(0)),
        {
          ...{ path: "notes", operation: "modify" },
          diff: "diff --git a/notes b/notes\n--- a/notes\n+++ b/notes\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n",
        },
      ]),
    });
    expect(await run()).toMatchObject({ status: "waiting-approval" });
    const [asked] = await listApprovals(workflow);
    const summary = String(asked?.request.summary);
    expect(summary).toContain("binary, 256 bytes, was 256 bytes\n");
    expect(summary).toContain("binary, 256 bytes\n");
    expect(summary).toContain("+zwei\n");
    expect(summary).not.toContain("GIT binary patch");
    const diff = await diffNode(workflow, { runId: "r", nodeId: "box-run" });
    expect(
      Object.fromEntries(diff.files.map(({ path, status, isBinary }) => [path, [status, isBinary]])),
    ).toEqual({
      logo: ["modified", true],
      tool: ["modified", true],
      "new/run": ["added", true],
      "new/nothing": ["added", false],
      notes: ["modified", false],
    });
    await approveNode(workflow, { runId: "r", nodeId: "box-review" });
    expect(await run({ resume: true })).toMatchObject({ status: "finished" });
    expect(files(rootDir)).toEqual({
      notes: "-one\nzwei\n",
      logo: `-${bytes(turned)}`,
      tool: `x${bytes(turned)}`,
      "new/run": `x${bytes(ALL_BYTES)}`,
      "new/nothing": "-",
    });
  });

  it("are refused with all of the bundle where one of them cannot be taken", async () => {
    const { run, rootDir } = sandboxedRun(BEFORE, {
      provider: giving([whole("fine", "add", ALL_BYTES), whole("logo", "add", ALL_BYTES)]),
      autoAcceptDiffs: true,
    });
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_INVALID",
        message: expect.stringContaining("it has to modify it") as string,
      },
    });
    expect(files(rootDir)).toEqual(BEFORE);
  });

  it("are refused by name where the file in the run's folder is not any more what they were made from", async () => {
    const theirs = Buffer.from(ALL_BYTES.subarray(1));
    const scene = sandboxedRun(BEFORE, {
      provider: giving([whole("fine", "add", ALL_BYTES), whole("logo", "modify", Buffer.of(0))], () =>
        writeFileSync(join(scene.rootDir, "logo"), theirs),
      ),
      autoAcceptDiffs: true,
    });
    expect(await scene.run()).toMatchObject({
      status: "failed",
      error: { code: "SANDBOX_BUNDLE_INVALID", message: expect.stringContaining("'logo'") as string },
    });
    expect(files(scene.rootDir)).toEqual({ ...BEFORE, logo: `-${bytes(theirs)}` });
  });

  it("are refused where they have the value of a secret", async () => {
    process.env["LOGO_KEY"] = "sesame-4711-sesame";
    const { run } = sandboxedRun(BEFORE, {
      provider: giving([whole("b", "add", Buffer.from("\0sesame-4711-sesame\0"))]),
      egress: { secretBindings: { KEY: "LOGO_KEY" } },
    });
    const { error } = await run();
    delete process.env["LOGO_KEY"];
    expect(error).toMatchObject({
      code: "SANDBOX_BUNDLE_INVALID",
      message: expect.stringContaining("holds the value of the secret binding KEY") as string,
    });
  });
});
