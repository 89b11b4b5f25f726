import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { withProcessTerms } from "../../src/process/process-terms.js";
import { realPath } from "../../src/process/workspace-state.js";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "../tools/support/workspace.js";

/** A flow that imports `./lib.js`, `./parts`, `./more` and `./prompt.md`. */
const files = {
  "flows/flow.tsx": "",
  "flows/lib.ts": "",
  "flows/parts.ts": "",
  "flows/more/index.ts": "",
  "flows/prompt.md": "",
};

async function write(path: string, writable: string[] = []) {
  const rootDir = realPath(await workspace(files));
  const frozen = Object.keys(files).map((name) => join(rootDir, name));
  const tools = createTools({ rootDir, writable });
  return withProcessTerms({ markers: {}, isConcealing: false, hidden: [], frozen }, () =>
    tools.write.execute({ path, content: "evil" }),
  );
}

/** Loads the flow, and writes as an agent of it. */
async function loadAndWrite(
  project: Readonly<Record<string, string>>,
  path: string,
  links: Readonly<Record<string, string>> = {},
) {
  const rootDir = realPath(await workspace({ "flows/flow.ts": flow, ...project }));
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(rootDir, name));
  const { modules, places } = await bundleWorkflow({
    entry: join(rootDir, "flows/flow.ts"),
    outfile: join(rootDir, "out.mjs"),
    cwd: rootDir,
    resolveOwn: (name) => name,
  });
  const frozen = [...modules, ...(await places)].map(realPath);
  const tools = createTools({ rootDir });
  return withProcessTerms({ markers: {}, isConcealing: false, hidden: [], frozen }, () =>
    tools.write.execute({ path, content: "evil" }),
  );
}

const flow = `import { at } from "@/at"; import dep from "dep"; export default [at, dep];`;
const installed = {
  "node_modules/dep/package.json": '{"name":"dep","main":"index.js"}',
  "node_modules/dep/index.js": "module.exports = 1;",
  "src/at.ts": "export const at = 1;",
};
const aliased = {
  ...installed,
  "tsconfig.json": '{"extends":"./configs/base.json"}',
  "configs/base.json": `{"compilerOptions":{"baseUrl":"..","paths":{
    // Before what is there:
    "@/*":["./gen/*","\${configDir}/made/*","./src/*"]}}}`,
};

describe("a file that a name would lead to by the settings of the compiler, before what it leads to now", () => {
  it.each([
    "gen/at.ts",
    "gen/at.jsx",
    "gen/AT.mts",
    "gen/at/index.tsx",
    "gen/at/package.json",
    "gen/package.json",
    "made/at.ts",
    "configs/base.json",
    "configs/base.ts",
    "dep.ts",
    "dep/index.js",
    "dep/package.json",
    "src/at.js",
  ])("is not written by a tool: %s", async (path) => {
    await expect(loadAndWrite(aliased, path)).rejects.toMatchObject({
      code: "TOOL_PATH_PROTECTED",
    });
  });

  it.each(["src/other.ts", "gen/other.ts", "dep/other.ts", "configs/other.json"])(
    "is distinguished from others: %s",
    async (path) => {
      expect(await loadAndWrite(aliased, path)).toBe("ok");
    },
  );

  it("is not reached by a folder that is a link either", async () => {
    const project = { ...aliased, "real/keep.txt": "" };
    await expect(loadAndWrite(project, "real/at.ts", { gen: "real" })).rejects.toMatchObject({
      code: "TOOL_PATH_PROTECTED",
    });
  });

  it("is free where no settings lead there, and where they are not what they have to be", async () => {
    const plain = { ...installed, "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}' };
    expect(await loadAndWrite(plain, "dep.ts")).toBe("ok");
    const odd = '{"compilerOptions":{"baseUrl":7,"paths":{"@/*":["./src/*",7],"x":"./y"}}}';
    expect(await loadAndWrite({ ...installed, "tsconfig.json": odd }, "y.ts")).toBe("ok");
  });
});

describe("a file that the loader would take in the place of a module, or ask which to take", () => {
  it.each([
    "flows/lib.js",
    "flows/lib.js.tsx",
    "flows/lib.tsx",
    "flows/LIB.js",
    "flows/l\u200cib.js",
    "flows/parts",
    "flows/parts.tsx",
    "flows/parts.json",
    "flows/more.ts",
    "flows/more/index.tsx",
    "flows/prompt.md.ts",
    "flows/tsconfig.json",
    "tsconfig.json",
    "jsconfig.json",
    "tsconfig.base.json",
    "package.json",
    "flows/package.json",
    "flows/more/package.json",
    ".pnp.cjs",
    ".pnp.data.json",
    "flows/.PNP.loader.mjs",
    "treadle.gateway.ts",
    "treadle.gateway.mjs",
    "flows/treadle.gateway.JS",
    ".service/workflows/report.tsx",
  ])("is not written by a tool: %s", async (path) => {
    await expect(write(path)).rejects.toMatchObject({ code: "TOOL_PATH_PROTECTED" });
  });

  it.each([
    "flows/lib.test.ts",
    "flows/other.js",
    "flows/library.ts",
    "lib.js",
    "app/package.json",
    "parts.ts",
  ])("is told from others: %s", async (path) => {
    expect(await write(path)).toBe("ok");
  });

  it("may be written where the caller has named it", async () => {
    expect(await write("package.json", ["package.json"])).toBe("ok");
  });
});
