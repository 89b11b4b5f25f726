// npm run mutate -- [--lines 40] [--seed 1] [--in src/scheduler]
// Changes lines of a folder that are drawn by chance, one mutant at a time, and says which of them no test beside that
// folder notices. All mutants would take days; a sample of some ten lines takes some ten minutes.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const VERSION = "9.6.1";
const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    in: { type: "string", default: "src/scheduler" },
  },
});

// Not a dependency of the project: 160 packages that nothing else needs.
if (!existsSync("node_modules/@stryker-mutator/vitest-runner")) {
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  execFileSync("npm", ["install", "--no-save", "--ignore-scripts", ...packages], { stdio: "inherit" });
}

/** @returns numbers from 0 to below 1, the same for the same seed */
function numbersOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lines that decide something: a mutant of a comment, an import, a type or a message says nothing. */
function decidingLines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ file, text, line: index + 1 }))
    .filter(({ text }) =>
      /\bif \(|\? |&&|\|\||[<>]=? |[!=]==|return |\.(some|every|filter|find)\(/.test(text),
    )
    .filter(({ text }) => !/^\s*(\*|\/\/|\/\*|import|export type|type |throw )/.test(text));
}

const files = execFileSync("git", ["ls-files", values.in], { encoding: "utf8" });
const lines = files
  .split("\n")
  .filter((file) => file.endsWith(".ts"))
  .flatMap(decidingLines);
const next = numbersOf(Number(values.seed));
const drawn = Array.from({ length: Number(values.lines) }, () => lines[Math.floor(next() * lines.length)]);

const folder = mkdtempSync(join(tmpdir(), "treadle-mutants-"));
const config = join(folder, "stryker.json");
writeFileSync(
  config,
  JSON.stringify({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    // It knows the compiler's former interface only.
    tsconfigFile: "none",
    disableTypeChecks: false,
    coverageAnalysis: "perTest",
    ignorePatterns: ["bench", "dist", "docs", "examples"],
    mutate: drawn.map(({ file, line }) => `${file}:${line}-${line}`),
    mutator: { excludedMutations: ["StringLiteral", "ObjectLiteral"] },
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, reportTests: false },
    tempDirName: join(folder, "sandbox"),
    concurrency: 1,
    timeoutMS: 30_000,
  }),
);
const env = { ...process.env, MUTATION_TESTS: values.in.split("/")[1] };
const { status } = spawnSync("npx", ["stryker", "run", config], { stdio: "inherit", env });
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
