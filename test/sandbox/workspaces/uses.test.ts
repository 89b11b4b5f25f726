import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { SandboxWorkspace } from "../../../src/model/sandbox-access.js";
import { makeSandboxFolder } from "../../../src/sandbox/sandbox-folder.js";
import type { GivenFiles } from "../../../src/sandbox/workspaces/given-files.js";
import { withFiles } from "../../../src/sandbox/workspaces/with-files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

describe("the use of a workspace with an idle timeout of 60 s", () => {
  let root = "";
  let nowMs = 0;
  const use = async <T>(
    nodeId: string,
    work: (files: GivenFiles) => T | Promise<T>,
    more: Partial<SandboxWorkspace> = {},
  ) => {
    const of = { runId: "r", nodeId, iteration: 0, attempt: 1 };
    const request = {
      ...{ root, rootDir: root, runId: "r", by: `${nodeId}::0`, folder: await makeSandboxFolder(root, of) },
      workspace: { name: "w", idleTimeoutSecs: 60, ...more },
      signal: new AbortController().signal,
      isAutoAccepted: false,
      now: () => nowMs,
      onWait: () => undefined,
    };
    return withFiles(request, async (files) => {
      const result = await work(files);
      const after = await files.snapshots.take(files.folder.files);
      return { result, snapshotId: await files.keep(await files.settle(after)) };
    });
  };
  const adds = ({ folder: { files } }: GivenFiles) => writeFileSync(join(files, "added"), "x");
  const isAdded = ({ folder: { files } }: GivenFiles) => existsSync(join(files, "added"));
  const filesOf = (name: string) => join(root, `.service/sandboxes/r/workspaces/${name}/files`);

  beforeEach(() => {
    root = temporaryFolder("idle");
    nowMs = 1_000_000;
    writeFileSync(join(root, "notes"), "begin\n");
  });

  it("begins with what the last one has left, within that time, and anew after it", async () => {
    await use("a", adds);
    nowMs += 59_999;
    expect((await use("b", isAdded)).result).toBe(true);
    nowMs += 60_000;
    expect((await use("c", isAdded)).result).toBe(false);
  });

  it("that a task makes again, for its run has not kept it, begins without it and what came after it", async () => {
    const size = ({ folder: { files } }: GivenFiles) => {
      appendFileSync(join(files, "notes"), "once\n");
      return readFileSync(join(files, "notes"), "utf8").split("once").length - 1;
    };
    for (const nodeId of ["a", "b", "c"]) await use(nodeId, size);
    expect((await use("c", size)).result).toBe(3);
    expect((await use("b", size)).result).toBe(2);
  });

  it("leaves what git ignores, and takes no link of the one before for a folder", async () => {
    const outside = temporaryFolder("outside");
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/code"), "code\n");
    await use("a", ({ folder: { files } }) => {
      writeFileSync(join(files, ".gitignore"), "built\n");
      writeFileSync(join(files, "built"), "x");
    });
    const left = use("b", ({ folder: { files } }) => {
      rmSync(join(files, "src"), { recursive: true });
      symlinkSync(outside, join(files, "src"));
      throw new Error("half way");
    });
    await expect(left).rejects.toThrow("half way");
    const { result } = await use("b", ({ folder: { files } }) => [
      existsSync(join(files, "built")),
      readFileSync(join(files, "src/code"), "utf8"),
    ]);
    expect(result).toEqual([true, "code\n"]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("begins with a snapshot of one whose time is over", async () => {
    const { snapshotId = "" } = await use("a", adds);
    nowMs += 60_000;
    expect((await use("b", isAdded, { snapshotId })).result).toBe(true);
  });

  it("removes the files of others whose time is over", async () => {
    await use("a", adds);
    nowMs += 60_000;
    expect(existsSync(filesOf("w"))).toBe(true);
    await use("b", () => undefined, { name: "v" });
    expect([existsSync(filesOf("w")), existsSync(filesOf("v"))]).toEqual([false, true]);
  });

  it("keeps its files however long it takes", async () => {
    await use("a", adds);
    await use("b", async (files) => {
      nowMs += 120_000;
      await use("c", () => undefined, { name: "v" });
      expect(isAdded(files)).toBe(true);
    });
  });

  it("is refused in another folder", async () => {
    await use("a", adds);
    const other = join(root, "worktree");
    mkdirSync(other);
    const state = join(root, ".service/sandboxes/r/workspaces/w/state.json");
    const moved = { ...JSON.parse(readFileSync(state, "utf8")), rootDir: other };
    writeFileSync(state, JSON.stringify(moved));
    await expect(use("b", adds)).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      message: expect.stringContaining(`belongs to the folder ${other}`) as string,
    });
  });
});
