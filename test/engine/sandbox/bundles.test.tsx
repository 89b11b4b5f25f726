import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { SandboxBundle, SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { type FolderContent, readFolder, writeFolder } from "../../support/folder-content.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

const PATCH = "diff --git a/notes b/notes\n--- a/notes\n+++ b/notes\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n";
const SECOND = "diff --git a/notes b/notes\n--- a/notes\n+++ b/notes\n@@ -1,2 +1,2 @@\n-one\n+eins\n zwei\n";
const DONE = JSON.stringify({ status: "finished", outputs: { text: "done" } });
const BEFORE = { notes: "-one\ntwo\n" };

/** A provider that leaves these files, and gives the folder as its result. */
function leaving(
  files: FolderContent,
  result: (folder: string) => unknown = (folder) => ({ bundlePath: folder }),
): SandboxProvider {
  return {
    id: "leaving",
    run({ resultBundlePath }) {
      writeFolder(resultBundlePath, Object.fromEntries(Object.entries(files).map(([k, v]) => [k, `-${v}`])));
      return Promise.resolve(result(resultBundlePath) as SandboxBundle);
    },
  };
}

/** What stands in the run's folder. What the sandbox has left in the state folder may be a pipe, which no one reads. */
const folderOf = (rootDir: string) => {
  rmSync(join(rootDir, ".service"), { recursive: true, force: true });
  return readFolder(rootDir);
};

async function taken(provider: SandboxProvider, props: { egress?: object } = {}) {
  const { run, rootDir, events, folder, workflow } = sandboxedRun(BEFORE, {
    provider,
    autoAcceptDiffs: true,
    ...props,
  });
  const { status, output, error } = await run();
  return { status, output, code: error?.code, message: error?.message, events, rootDir, folder, workflow };
}

describe("a result in files", () => {
  it("is its README.md, its patches by name, its artifacts, and its log as output of the work inside", async () => {
    const { status, output, rootDir, events } = await taken(
      leaving(
        {
          "README.md": DONE,
          "patches/0002.patch": SECOND,
          "patches/0001.patch": PATCH,
          "artifacts/report/index.html": "<p>",
          "logs/stream.ndjson": '{"line":1}\n',
        },
        (bundlePath) => ({
          bundlePath,
          remoteRunId: "remote-1",
          workspaceId: "disk-7",
          containerId: "c0ffee",
        }),
      ),
    );
    expect({ status, output }).toEqual({ status: "finished", output: { text: "done" } });
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{
          type: "SandboxCompleted",
          remoteRunId: "remote-1",
          workspaceId: "disk-7",
          containerId: "c0ffee",
        },
      }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: "NodeOutput", nodeId: "box-run", text: '{"line":1}\n' }),
    );
    expect(
      readFolder(join(rootDir, ".service/sandboxes/r/box-run%400/1/result-bundle/artifacts")),
    ).toMatchObject({ "report/index.html": "-<p>" });
    expect(folderOf(rootDir)).toEqual({ notes: "-eins\nzwei\n" });
  });

  it("may stand in a folder of the results, and names the order of its patches", async () => {
    const manifest = {
      status: "finished",
      outputs: { text: "" },
      patches: ["patches/b.patch", "patches/a.patch"],
    };
    const { status, rootDir } = await taken(
      leaving(
        {
          "out/README.md": JSON.stringify(manifest),
          "out/patches/a.patch": SECOND,
          "out/patches/b.patch": PATCH.trimEnd(),
        },
        () => ({ bundlePath: "out" }),
      ),
    );
    expect(status).toBe("finished");
    expect(folderOf(rootDir)).toEqual({ notes: "-eins\nzwei\n" });
  });

  it("may be the files alone, named by a result that is given as an object", async () => {
    const { status, rootDir } = await taken(
      leaving({ "patches/a.patch": PATCH }, () => ({
        ...{ status: "finished", output: { text: "" }, patches: ["patches/a.patch"] },
      })),
    );
    expect(status).toBe("finished");
    expect(folderOf(rootDir)).toEqual({ notes: "-one\nzwei\n" });
  });

  it("without patches says that what differs in the copy are the changes", async () => {
    const provider = leaving({ "README.md": DONE });
    const { rootDir } = await taken({
      id: "both",
      run(request) {
        writeFileSync(join(request.workspacePath, "new"), "x");
        return provider.run(request);
      },
    });
    expect(folderOf(rootDir)).toEqual({ ...BEFORE, new: "-x" });
  });

  it("that failed fails the work inside with its reason", async () => {
    const manifest = JSON.stringify({ status: "failed", error: "no disk", retryable: false });
    expect(await taken(leaving({ "README.md": manifest }))).toMatchObject({
      ...{ status: "failed", code: "SANDBOX_EXECUTION_FAILED" },
      message: expect.stringContaining("no disk") as string,
    });
  });

  it("is asked for by a bundle that names the work and holds no variables", async () => {
    let manifest: unknown;
    await taken(
      {
        id: "reading",
        run({ requestBundlePath }) {
          const { "README.md": text = "" } = readFolder(requestBundlePath);
          manifest = JSON.parse(text.slice(1));
          return Promise.resolve({ status: "finished", outputs: { text: "" } });
        },
      },
      { egress: { httpProxy: "http://user:password@localhost:1" } },
    );
    expect(manifest).toMatchObject({
      runId: "r",
      sandboxId: "box",
      workflow: "child.tsx",
      memoryBytes: 2 ** 33,
    });
    expect(JSON.stringify(manifest)).not.toContain("password");
  });
});

const outside = `diff --git a/../up b/../up\nnew file mode 100644\n--- /dev/null\n+++ b/../up\n@@ -0,0 +1 @@\n+x\n`;
const hook = outside.replaceAll("../up", ".git/hooks/post-checkout");
const link = `diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n`;
const through = `${link}${outside.replaceAll("../up", "l/up")}`;

describe("a patch in files is refused, and nothing is changed, when it", () => {
  it.each([
    ["leaves the folder", outside],
    ["makes a hook of git", hook],
    ["makes a link", link],
    ["leads through a link", through],
    ["does not fit", SECOND],
    ["is none", "no patch"],
  ])("%s", async (_, patch) => {
    const { status, code, rootDir } = await taken(leaving({ "README.md": DONE, "patches/a.patch": patch }));
    expect({ status, code }).toEqual({ status: "failed", code: "SANDBOX_BUNDLE_INVALID" });
    expect(folderOf(rootDir)).toEqual(BEFORE);
  });
});

describe("the value of a secret binding in a result in files", () => {
  beforeEach(() => {
    process.env["KEY_OF_THE_HOST"] = "key-0123456789";
    onTestFinished(() => void delete process.env["KEY_OF_THE_HOST"]);
  });
  const egress = { secretBindings: { API_KEY: "KEY_OF_THE_HOST" } };

  it.each([
    ["an artifact", { "README.md": DONE, "artifacts/a": "key-0123456789" }, "failed"],
    ["a patch", { "README.md": DONE, "patches/a.patch": PATCH.replace("zwei", "key-0123456789") }, "failed"],
    ["an output", { "README.md": DONE.replace("done", "key-0123456789"), "artifacts/a": "" }, "finished"],
  ])("is stored nowhere when it is in %s", async (_, files, status) => {
    const ended = await taken(leaving(files), { egress });
    expect(ended.status).toBe(status);
    const stored = Object.values(readFolder(ended.folder)).join("");
    expect(stored).not.toContain("key-0123456789");
    expect(readdirSync(join(ended.rootDir, ".service/sandboxes/r/box-run%400/1"))).toContain("result-bundle");
  });
});
