import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
