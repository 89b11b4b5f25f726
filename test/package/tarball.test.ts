import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

let files: string[];
let project: string;

/** Packs the built package and puts it into an empty project, beside the dependencies it declares. */
beforeAll(() => {
  const packed = mkdtempSync(join(tmpdir(), "treadle-packed-"));
  const listing = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", packed], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const parsed = JSON.parse(listing);
  const [pack] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  files = pack.files.map(({ path }: { path: string }) => path);

  project = mkdtempSync(join(tmpdir(), "treadle-user-"));
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "treadle"), { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(packed, pack.filename),
    "-C",
    join(modules, "treadle"),
    "--strip-components=1",
  ]);
  // Dependencies of the package are found beside it, as an install would put them.
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of new Set([...Object.keys(dependencies), "@types/node", "csstype", "undici-types"])) {
    if (name.includes("/")) mkdirSync(join(modules, name.split("/")[0] as string), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: "NodeNext",
        target: "ES2023",
        lib: ["ES2023"],
        jsx: "react-jsx",
        jsxImportSource: "treadle",
        types: ["node"],
        // Declarations of third parties are theirs to keep.
        skipLibCheck: true,
      },
      include: ["*.tsx"],
    }),
  );
  writeFileSync(
    join(project, "flow.tsx"),
    `import { createService, runWorkflow } from "treadle";
import { testWorkflow } from "treadle/testing";
import { createDemoAgent } from "treadle/agents";
import { bash } from "treadle/tools";
import { renderPrometheusMetrics } from "treadle/observability";
import { listOperations } from "treadle/openapi";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ output: z.object({ n: z.number() }) });
export const used = [runWorkflow, testWorkflow, createDemoAgent, bash, renderPrometheusMetrics, listOperations];
export default service(() => (
  <Workflow name="packed">
    <Task id="one" output={outputs.output}>{{ n: 1 }}</Task>
  </Workflow>
));
`,
  );
}, 60_000);

describe("the packed package", () => {
  test("holds what users need and nothing else", () => {
    const areas = new Set(files.map((path) => path.split("/")[0]));
    expect([...areas].sort()).toEqual(["README.md", "dist", "docs", "examples", "package.json"]);
    expect(files.filter((path) => /\.test\.|\.db$|tsbuildinfo/.test(path))).toEqual([]);
  });

  test("type-checks a workflow in an empty project", () => {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const check = () =>
      execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8", stdio: "pipe" });
    expect(check).not.toThrow();
  });

  test("runs that workflow from the command line, and says its version", () => {
    const cli = join(project, "node_modules", "treadle", "dist/src/cli/main.js");
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [cli, ...args], {
        cwd: project,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    expect(JSON.parse(run("up", "flow.tsx", "--json"))).toMatchObject({
      status: "finished",
      output: { n: 1 },
    });
    expect(run("--version").trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("serves every subpath it declares", () => {
    const script = `
      const names = ["treadle", "treadle/agents", "treadle/observability", "treadle/openapi", "treadle/testing", "treadle/tools", "treadle/jsx-runtime", "treadle/jsx-dev-runtime"];
      for (const name of names) if (Object.keys(await import(name)).length === 0) throw new Error(name);
    `;
    const load = () =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: project, stdio: "pipe" });
    expect(load).not.toThrow();
  });
});
