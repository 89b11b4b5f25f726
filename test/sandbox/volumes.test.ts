import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { BubblewrapRuntime } from "../../src/sandbox/runtimes/bubblewrap.js";
import { resolveVolumes } from "../../src/sandbox/volumes.js";
import { childFile, sandboxRequest } from "../support/sandbox-request.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { canSandbox } from "../support/can-sandbox.js";

describe("a volume", () => {
  let folder = "";
  let rootDir = "";
  const resolved = (host: string, more: { readonly?: boolean } = {}) =>
    resolveVolumes([{ host, container: "/opt/v", ...more }], {
      rootDir,
      state: [join(folder, "data/service.db"), join(rootDir, ".service")],
    });

  beforeEach(() => {
    folder = temporaryFolder("volumes");
    rootDir = join(folder, "root");
    for (const each of ["root/.service/x", "data", "tools"])
      mkdirSync(join(folder, each), { recursive: true });
    writeFileSync(join(folder, "data/service.db"), "");
    symlinkSync(join(folder, "data"), join(folder, "link-to-data"));
  });

  it("is read-only unless it says otherwise, and relative to the run's folder", () => {
    expect(resolved("../tools")).toEqual([
      { host: join(folder, "tools"), container: "/opt/v", readonly: true },
    ]);
    expect(resolved(join(folder, "tools"), { readonly: false })).toMatchObject([{ readonly: false }]);
  });

  it.each([
    ["the database", "../data/service.db"],
    ["a folder with the database in it", "../data"],
    ["the database through a link", "../link-to-data/service.db"],
    ["a folder above", ".."],
    ["the whole machine", "/"],
    ["the state folder", ".service"],
    ["something inside of the state folder", ".service/x"],
    ["the run's folder, which has the state folder in it", "."],
  ])("never shows %s", (_, host) => {
    expect(() => resolved(host)).toThrow(/database or state/);
  });

  it("never lets the run's folder be changed past the review", () => {
    mkdirSync(join(rootDir, "src"));
    expect(() => resolved("src", { readonly: false })).toThrow(/by the sandbox's patch alone/);
  });

  it("is a file or folder that is there", async () => {
    expect(() => resolved("nowhere")).toThrow(/"nowhere" is not there/);
    expect(() => resolved("/dev/null")).toThrow(/neither a file nor a folder/);
    const path = join(folder, "socket");
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await new Promise((done) => server.once("listening", done));
    expect(() => resolved(path)).toThrow(/neither a file nor a folder/);
  });

  it
    .runIf(canSandbox)
    .each(["/usr/local/bin/agent", "/proc/x", "/dev/x", "/etc/passwd", "/usr", "/run", "/tmp"])(
    "cannot stand at %s inside, where something else is",
    async (container) => {
      const { request } = sandboxRequest(
        { "child.tsx": `-${childFile("return 1;")}` },
        { volumes: [{ host: folder, container, readonly: true }] },
      );
      await expect(new BubblewrapRuntime().run(request)).rejects.toMatchObject({
        code: "SANDBOX_EXECUTION_FAILED",
        message: expect.stringContaining("choose another place") as string,
      });
    },
  );

  it.runIf(canSandbox)("is written to where it may be, and only there", async () => {
    const body = `const fs = await import("node:fs"); const write = (path) => { try { fs.writeFileSync(path, "inside"); return "written"; } catch (error) { return error.code; } };
      return [write("/opt/open/file"), write("/tmp/closed/file")].join();`;
    const [open, closed] = ["open", "closed"].map((name) => join(folder, name)) as [string, string];
    for (const each of [open, closed]) mkdirSync(each);
    const { request } = sandboxRequest(
      { "child.tsx": `-${childFile(body)}` },
      {
        volumes: [
          { host: open, container: "/opt/open", readonly: false },
          { host: closed, container: "/tmp/closed", readonly: true },
        ],
      },
    );
    expect(await new BubblewrapRuntime().run(request)).toMatchObject({ output: { text: "written,EROFS" } });
    expect(readFileSync(join(open, "file"), "utf8")).toBe("inside");
  });
});
