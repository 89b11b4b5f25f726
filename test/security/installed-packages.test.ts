import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolders } from "../../src/process/package-folders.js";
import { packageFolder } from "../../src/process/installation.js";
import { withProcessTerms } from "../../src/process/process-terms.js";
import { realPath } from "../../src/process/workspace-state.js";
import { createTools } from "../../src/tools/index.js";
import { isIsolationPermitted } from "../tools/support/isolation.js";
import { workspace } from "../tools/support/workspace.js";

const files = {
  "node_modules/treadle/dist/cli.js": "engine",
  "packages/a/node_modules/dep/index.js": "dep",
  "packages/a/flow.tsx": "flow",
  "treadle.gateway.ts": "gateway",
};

async function attacked(cmd: string, options: { writable?: string[] } = {}) {
  const rootDir = realPath(await workspace(files));
  const terms = {
    markers: {},
    isConcealing: false,
    hidden: [],
    frozen: [join(rootDir, "packages/a/flow.tsx")],
  };
  const { bash } = createTools({ rootDir, ...options });
  await withProcessTerms(terms, () => bash.execute({ cmd: `{ ${cmd}; } 2>/dev/null; true` }));
  return async (name: string) => readFile(join(rootDir, name), "utf8").catch(() => undefined);
}

describe.runIf(isIsolationPermitted)(
  "installed packages, the engine among them, and a gateway's settings",
  () => {
    it.each([
      [
        "written",
        "echo evil > node_modules/treadle/dist/cli.js; echo evil > packages/a/node_modules/dep/index.js",
      ],
      ["renamed", "mv node_modules n2; cp -r n2 node_modules; echo evil > node_modules/treadle/dist/cli.js"],
      [
        "renamed above",
        "mv packages p2; mkdir -p packages/a/node_modules/dep; echo evil > packages/a/node_modules/dep/index.js",
      ],
      ["replaced", "echo evil > treadle.gateway.ts; mv -f packages/a/flow.tsx treadle.gateway.ts"],
      ["linked", "ln -sfn /tmp node_modules/treadle; rm -rf node_modules packages/a/node_modules"],
    ])("are not %s by a command", async (_how, cmd) => {
      const read = await attacked(cmd);
      for (const name of Object.keys(files)) expect(await read(name)).toBe(files[name as keyof typeof files]);
    });

    it("are where the caller has named them", async () => {
      const read = await attacked("echo new > node_modules/treadle/dist/cli.js", {
        writable: ["node_modules"],
      });
      expect(await read("node_modules/treadle/dist/cli.js")).toBe("new\n");
    });
  },
);

describe("the engine's own installation", () => {
  it("is kept below a root, and only what runs of it where the root is the installation", () => {
    const own = realPath(packageFolder());
    expect(packageFolders(join(own, ".."), [])).toContain(own);
    expect(packageFolders(own, [])).toEqual(expect.arrayContaining([join(own, "package.json")]));
    expect(packageFolders(own, [])).not.toContain(own);
  });
});
