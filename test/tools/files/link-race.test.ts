import { mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type PinnedFolder, pinParent } from "../../../src/tools/files/pinned-folder.js";
import { openRegularFile, readAtMost } from "../../../src/tools/files/regular-file.js";
import { replaceFile } from "../../../src/tools/files/replace-file.js";
import { resolveInside, type SandboxRoot } from "../../../src/tools/files/sandbox-path.js";
import { createTools } from "../../../src/tools/index.js";
import { workspace } from "../support/workspace.js";

const author = { idempotencyKey: "run:task:0", attempt: 1 };

/** Both ways of holding a folder are tested wherever the first one exists. */
const pinnings: SandboxRoot["pinning"][] = process.platform === "linux" ? ["descriptor", "path"] : ["path"];

describe.each(pinnings)("a link that appears between check and use (folders held by %s)", (pinning) => {
  let root: SandboxRoot;
  let outside: string;
  let held: PinnedFolder[];

  const pin = async (path: string, options = {}) => {
    const target = await resolveInside(root, path);
    const folder = await pinParent(target, options);
    held.push(folder);
    return { folder, name: target.name };
  };

  beforeEach(async () => {
    held = [];
    outside = await workspace({ "file.txt": "outside\n" });
    const realPath = await workspace({ "folder/file.txt": "inside\n" });
    root = { realPath, pinning };
  });

  afterEach(async () => {
    for (const folder of held) await folder.close();
  });

  async function swapFolderForLink(): Promise<void> {
    await rename(join(root.realPath, "folder"), join(root.realPath, "moved"));
    await symlink(outside, join(root.realPath, "folder"));
  }

  it("is not followed when the path was resolved before it appeared", async () => {
    const target = await resolveInside(root, "folder/file.txt");
    await swapFolderForLink();
    await expect(pinParent(target)).rejects.toMatchObject({ code: "TOOL_PATH_ESCAPE" });
  });

  it("does not turn a read to the outside once the folder is held", async () => {
    const { folder, name } = await pin("folder/file.txt");
    await swapFolderForLink();
    const text = await openRegularFile(folder, name, "shown").then(
      async ({ handle }) => {
        const bytes = await readAtMost(handle, 100, "shown");
        await handle.close();
        return bytes.toString();
      },
      (error) => error.code,
    );
    expect(text).toBe(pinning === "descriptor" ? "inside\n" : "TOOL_PATH_ESCAPE");
  });

  it("does not turn a write to the outside once the folder is held", async () => {
    const { folder, name } = await pin("folder/file.txt");
    await swapFolderForLink();
    const outcome = await replaceFile(folder, name, { content: "written\n", shown: "shown", author }).then(
      () => "written",
      (error) => error.code,
    );
    expect(outcome).toBe(pinning === "descriptor" ? "written" : "TOOL_PATH_ESCAPE");
    expect(await readFile(join(outside, "file.txt"), "utf8")).toBe("outside\n");
    expect(await readdir(outside)).toEqual(["file.txt"]);
  });

  it("is refused in the place of the file itself", async () => {
    const { folder, name } = await pin("folder/file.txt");
    await rm(join(root.realPath, "folder/file.txt"));
    await symlink(join(outside, "file.txt"), join(root.realPath, "folder/file.txt"));
    const refusal = { code: "TOOL_PATH_ESCAPE" };
    await expect(openRegularFile(folder, name, "shown")).rejects.toMatchObject(refusal);
    await expect(replaceFile(folder, name, { content: "x", shown: "shown", author })).rejects.toMatchObject(
      refusal,
    );
    expect(await readFile(join(outside, "file.txt"), "utf8")).toBe("outside\n");
  });

  it("is refused in the place of a folder that is about to be created", async () => {
    const target = await resolveInside(root, "new/file.txt");
    await symlink(outside, join(root.realPath, "new"));
    await expect(pinParent(target, { create: true })).rejects.toMatchObject({ code: "TOOL_PATH_ESCAPE" });
  });

  it("does not help when the held folder itself is moved out of the root", async () => {
    const { folder } = await pin("folder/file.txt");
    await rename(join(root.realPath, "folder"), join(outside, "taken"));
    await expect(openRegularFile(folder, "file.txt", "shown")).rejects.toMatchObject({
      code: expect.stringMatching(/^TOOL_PATH_(ESCAPE|INVALID)$/),
    });
  });
});

describe("tools at work while another process swaps a folder for a link without pause", () => {
  it("never read from nor write to the outside", async () => {
    const outside = await workspace({ "file.txt": "outside\n" });
    const root = await workspace({ "real/file.txt": "inside\n" });
    await mkdir(join(root, "spare"));
    // Each name change is one rename: "target" is the folder, a link to the outside, or nothing.
    const swapping = spawn(
      process.execPath,
      [
        "-e",
        `const fs = require("node:fs");
         process.chdir(process.argv[1]);
         fs.renameSync("real", "spare/real");
         fs.symlinkSync(process.argv[2], "spare/link");
         process.send("swapping");
         const swap = (name) => {
           try {
             fs.renameSync(name, "target");
             fs.renameSync("target", name);
           } catch {
             // A write has just created a folder of its own under the name.
             fs.rmSync("target", { recursive: true, force: true });
           }
         };
         for (;;) {
           try { swap("spare/real"); swap("spare/link"); } catch {}
         }`,
        root,
        outside,
      ],
      { stdio: ["ignore", "inherit", "inherit", "ipc"] },
    );
    onTestFinished(() => {
      swapping.kill("SIGKILL");
    });
    await once(swapping, "message");
    const tools = createTools({ rootDir: root });
    const texts = new Set<string>();
    const codes = new Set<unknown>();
    for (let round = 0; round < 150; round += 1) {
      const calls = await Promise.allSettled([
        tools.read.execute({ path: "target/file.txt" }),
        tools.grep.execute({ pattern: ".", path: "target" }),
        tools.write.execute({ path: "target/new.txt", content: "written" }),
      ]);
      for (const call of calls) {
        if (call.status === "fulfilled") texts.add(call.value);
        else codes.add(call.reason.code);
      }
    }

    expect(swapping.exitCode).toBeNull();
    expect(texts).toContain("inside\n");
    expect(await readdir(outside)).toEqual(["file.txt"]);
    expect([...texts].filter((text) => text.includes("outside"))).toEqual([]);
    for (const code of codes) expect(code).toMatch(/^TOOL_PATH_(ESCAPE|INVALID)$/);
  });
});
