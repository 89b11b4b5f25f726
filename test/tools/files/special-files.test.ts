import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTools } from "../../../src/tools/index.js";
import { workspace } from "../support/workspace.js";

const invalid = { code: "TOOL_PATH_INVALID" };

/** None of the tools takes what lies at `path`. */
function expectRefusal(root: string, problem: RegExp, path = "special") {
  const tools = createTools({ rootDir: root });
  return Promise.all([
    expect(tools.read.execute({ path })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringMatching(problem),
    }),
    expect(tools.read.execute({ path, offset: 1 })).rejects.toMatchObject(invalid),
    expect(tools.write.execute({ path, content: "x" })).rejects.toMatchObject(invalid),
    expect(tools.edit.execute({ path, patch: "@@ -1 +1 @@\n-a\n+b\n" })).rejects.toMatchObject(invalid),
  ]);
}

describe("a path to something that is no text file", () => {
  it("is refused for a pipe, without waiting for a writer", async () => {
    const root = await workspace({ "plain.txt": "found\n" });
    execFileSync("mkfifo", [join(root, "special")]);
    await expectRefusal(root, /is a pipe/);
    expect(await createTools({ rootDir: root }).grep.execute({ pattern: "found" })).toBe(
      "plain.txt:1:found\n",
    );
  });

  it("is refused for a socket", async () => {
    const root = await workspace();
    const server = createServer().listen(join(root, "special"));
    onTestFinished(() => {
      server.close();
    });
    await once(server, "listening");
    await expectRefusal(root, /is a socket/);
  });

  it("is refused for a device", async () => {
    await expectRefusal("/dev", /is a device/, "null");
  });

  it("is refused for a folder", async () => {
    const root = await workspace();
    await mkdir(join(root, "special"));
    await expectRefusal(root, /is a folder/);
  });

  it("is refused for a file that is used like a folder", async () => {
    const tools = createTools({ rootDir: await workspace({ "file.txt": "text" }) });
    await expect(tools.read.execute({ path: "file.txt/child" })).rejects.toMatchObject(invalid);
    await expect(tools.write.execute({ path: "file.txt/child", content: "" })).rejects.toMatchObject(invalid);
  });

  it("is refused for a path that is no path", async () => {
    const tools = createTools({ rootDir: await workspace() });
    for (const path of ["", "  ", "nul\0byte", "x".repeat(5_000), "y".repeat(300), 7, null, undefined]) {
      await expect(tools.read.execute({ path: path as string })).rejects.toMatchObject(invalid);
    }
  });

  it.runIf(process.platform === "linux")(
    "is refused for files of the kernel, also when the root is /",
    async () => {
      const tools = createTools({ rootDir: "/" });
      for (const path of ["proc/self/environ", "/proc/version", "/sys/kernel/uevent_seqnum"]) {
        await expect(tools.read.execute({ path })).rejects.toMatchObject({
          ...invalid,
          message: expect.stringContaining("belongs to the kernel"),
        });
      }
      await expect(tools.grep.execute({ pattern: "PATH", path: "/proc" })).rejects.toMatchObject(invalid);
      await expect(tools.read.execute({ path: "/dev/zero" })).rejects.toMatchObject(invalid);
    },
  );

  it("is refused with a clear word when the root does not exist", async () => {
    const tools = createTools({ rootDir: join(await workspace(), "missing") });
    await expect(tools.read.execute({ path: "a" })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining("The root folder of the tools cannot be opened (ENOENT)"),
    });
  });
});
