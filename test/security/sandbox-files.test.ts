import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withProcessTerms } from "../../src/process/process-terms.js";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "../tools/support/workspace.js";

const files = {
  ".git/config": "[core]\n",
  ".git/hooks/keep": "",
  "node_modules/dep/index.js": "module.exports = 1;\n",
  ".service/hmr/flow.mjs": "state\n",
  "service.db": "rows\n",
  "service.db-wal": "rows\n",
  "flow.tsx": "code\n",
  "src/a.ts": "const a = 1;\n",
  "data/other.db": "rows\n",
};
const patch = "@@ -1,1 +1,1 @@\n-code\n+evil\n";
const refused = { code: "TOOL_PATH_PROTECTED" };

async function attacked(options: { writable?: string[] } = {}) {
  const rootDir = await workspace(files);
  const scope = {
    markers: {},
    isConcealing: false,
    hidden: [join(rootDir, "data/other.db")],
    frozen: [join(rootDir, "flow.tsx")],
  };
  const tools = createTools({ rootDir, ...options });
  const within = <T>(work: () => Promise<T>) => withProcessTerms(scope, work);
  return {
    rootDir,
    write: (path: string, content = "evil") => within(() => tools.write.execute({ path, content })),
    edit: (path: string) => within(() => tools.edit.execute({ path, patch })),
    read: (path: string) => within(() => tools.read.execute({ path })),
    grep: (pattern: string, path = ".") => within(() => tools.grep.execute({ pattern, path })),
  };
}

describe("a file tool in the hands of an agent", () => {
  it.each([
    ".git/hooks/pre-commit",
    ".git/config",
    "sub/.git",
    ".jj/repo/config.toml",
    "sub/.HG/hgrc",
    ".GIT/config",
    ".g\u200cit/config",
    "node_modules/dep/index.js",
    "packages/a/node_modules/.bin/tsc",
    ".service/hmr/flow.mjs",
    "service.db",
    "service.db-wal",
    "service.db-journal",
    "Service.DB",
    "data/other.db",
    "flow.tsx",
    "src/../flow.tsx",
  ])("does not write %s", async (path) => {
    const { write, rootDir } = await attacked();
    await expect(write(path)).rejects.toMatchObject(refused);
    for (const [name, content] of Object.entries(files)) {
      expect(await readFile(join(rootDir, name), "utf8")).toBe(content);
    }
  });

  it("does not edit the running workflow's own code", async () => {
    const { edit, read } = await attacked();
    await expect(edit("flow.tsx")).rejects.toMatchObject(refused);
    expect(await read("flow.tsx")).toBe("code\n");
  });

  it("does not get there through a link inside the root", async () => {
    const { write, rootDir } = await attacked();
    await symlink(join(rootDir, ".git"), join(rootDir, "innocent"));
    await symlink(join(rootDir, "service.db"), join(rootDir, "notes.txt"));
    await expect(write("innocent/config")).rejects.toMatchObject(refused);
    await expect(write("notes.txt")).rejects.toMatchObject(refused);
  });

  it.each(["service.db", "service.db-wal", ".service/hmr/flow.mjs", "data/other.db"])(
    "does not read %s",
    async (path) => {
      const { read, grep } = await attacked();
      await expect(read(path)).rejects.toMatchObject(refused);
      await expect(grep("rows", path)).rejects.toMatchObject(refused);
      expect(await grep("rows|state")).toBe("");
    },
  );

  it("reads packages, git's files and the workflow's code, and writes everything else", async () => {
    const { read, write } = await attacked();
    expect(await read("node_modules/dep/index.js")).toContain("exports");
    expect(await read(".git/config")).toContain("core");
    expect(await read("flow.tsx")).toBe("code\n");
    for (const path of [
      "src/a.ts",
      ".gitignore",
      ".github/workflows/ci.yml",
      "my-service.db.md",
      "node_modules.md",
    ]) {
      expect(await write(path)).toBe("ok");
    }
  });

  it("may do what the caller has listed as writable, and no more", async () => {
    const { write, edit, read } = await attacked({ writable: ["flow.tsx", ".git/hooks", "data"] });
    expect(await edit("flow.tsx")).toBe("ok");
    expect(await write(".git/hooks/pre-commit")).toBe("ok");
    expect(await write(".git/hooks/..kept")).toBe("ok");
    expect(await read("data/other.db")).toBe("rows\n");
    await expect(write(".git/config")).rejects.toMatchObject(refused);
    await expect(write(".git/hooks-of-mine")).rejects.toMatchObject(refused);
  });
});
