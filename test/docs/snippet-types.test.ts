import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { extractCode } from "./support/extract.js";
import { pagesWithFiles } from "./support/pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("all code in the documentation compiles", () => {
  const extract = extractCode(pagesWithFiles());
  onTestFinished(() => extract.remove());
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: Object.fromEntries(
        ["agents", "openapi", "testing", "tools"].map((part) => [
          `treadle/${part}`,
          [`${ROOT}src/${part}/index.ts`],
        ]),
      ),
      // Readers see values, not uses.
      noUnusedLocals: false,
    },
    include: ["**/*.ts", "**/*.tsx"],
    exclude: ["node_modules"],
  };
  Object.assign(config.compilerOptions.paths, {
    treadle: [`${ROOT}src/index.ts`],
    "treadle/jsx-runtime": [`${ROOT}jsx-runtime/jsx-runtime.ts`],
    "treadle/jsx-dev-runtime": [`${ROOT}jsx-runtime/jsx-dev-runtime.ts`],
  });
  writeFileSync(join(extract.folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  let report = "";
  try {
    execFileSync(process.execPath, [tsc, "-p", extract.folder], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    report = (error as { stdout: string }).stdout;
  }
  expect(report).toBe("");
});
