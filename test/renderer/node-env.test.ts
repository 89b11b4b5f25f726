import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/* Users run with and without NODE_ENV=production; React then is another build, the reconciler never is. */

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "node-env-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  await build({
    entryPoints: [join(root, "test/renderer/fixtures/every-hook.tsx")],
    outfile: join(folder, "every-hook.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["react", "react-reconciler", "zod"],
    jsx: "automatic",
    jsxImportSource: "treadle",
    alias: { "treadle/jsx-runtime": join(root, "jsx-runtime/jsx-runtime.ts") },
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(["production", "development", "test", undefined])("with NODE_ENV=%s", (nodeEnv) => {
  it("every hook works, nothing is printed, and the process ends by itself", async () => {
    const result = join(folder, `${nodeEnv}.json`);
    const { NODE_ENV: _, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(folder, "every-hook.mjs"), result],
      {
        env: nodeEnv === undefined ? env : { ...env, NODE_ENV: nodeEnv },
      },
    );
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
    const others = ["quiet", "forwarded", "made", "cloned", "mapped"];
    expect(JSON.parse(readFileSync(result, "utf8"))).toEqual({
      frames: [
        ["updated 1 2 provided provided string external 2", ...others],
        ["updated 1 2 provided provided string external 2", ...others],
        ["updated 2 4 provided provided string external 4", ...others],
      ],
      log: ["quiet", "layout 1", "effect 1", "layout 2", "cleanup 1", "effect 2", "cleanup 2"],
      refusal: "WORKFLOW_RENDER_FAILED",
    });
  });
});
