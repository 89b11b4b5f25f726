import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { build as buildWithVite } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONSUMER } from "./support/consumer.js";
import { pack, type PackedPackage } from "./support/pack.js";
import { PackedProject, type PeerVersions } from "./support/packed-project.js";

const projects: PackedProject[] = [];
let packed: PackedPackage;
/** With the newest peers. */
let project: PackedProject;
beforeAll(() => {
  packed = pack();
  project = install();
});
afterAll(() => {
  for (const project of projects) project.remove();
});

function install(peers?: PeerVersions): PackedProject {
  const project = new PackedProject(packed, peers);
  projects.push(project);
  project.write("flow.tsx", CONSUMER);
  return project;
}

describe("the packed package", () => {
  it("holds what users need and nothing else", () => {
    const areas = new Set(packed.files.map((path) => path.split("/")[0]));
    expect([...areas].sort()).toEqual([
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "dist",
      "docs",
      "examples",
      "package.json",
      "templates",
    ]);
    expect(packed.files).toContain("docs/grafana-dashboard.json");
    // Tests that are given away: what a project begins with, and what an example repairs.
    const ours = packed.files.filter((path) => !/^(?:templates|examples\/failing-tests)\//.test(path));
    expect(ours.filter((path) => /\.test\.|\.db$|tsbuildinfo|\.compiled/.test(path))).toEqual([]);
  });

  it("declares its types without those of other packages, zod's, Node's and the optional ones of effect aside", () => {
    const dist = project.path("node_modules/treadle/dist");
    const declarations = readdirSync(dist, { recursive: true }).map(String);
    const imported = declarations
      .filter((file) => file.endsWith(".d.ts"))
      .flatMap((file) => [
        ...readFileSync(join(dist, file), "utf8").matchAll(/(?:from|import\()\s*"([^."][^"]*)"/g),
      ])
      .map(([, name = ""]) => name)
      .filter((name) => !name.startsWith("node:"));
    expect([...new Set(imported)].sort()).toEqual(["effect", "zod"]);
  });

  it("says its version, and serves every subpath it declares", () => {
    expect(project.treadle("--version").trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const script = `
      const names = ["treadle", "treadle/agents", "treadle/client", "treadle/gateway", "treadle/memory", "treadle/observability", "treadle/openapi", "treadle/react", "treadle/scorers", "treadle/serve", "treadle/server", "treadle/testing", "treadle/tools", "treadle/jsx-runtime", "treadle/jsx-dev-runtime"];
      for (const name of names) if (Object.keys(await import(name)).length === 0) throw new Error(name);
    `;
    expect(() => project.node(["--input-type=module", "-e", script])).not.toThrow();
  });

  describe("runs as a part of a program that a bundler has made of it", () => {
    const program = "program.mjs";
    const react = { runtime: "automatic", importSource: "treadle" } as const;
    const bundlers: [string, (outDir: string) => Promise<unknown>][] = [
      [
        "esbuild",
        (outDir) =>
          build({
            absWorkingDir: project.path("."),
            entryPoints: [program],
            outfile: join(outDir, "program.js"),
            bundle: true,
            platform: "node",
            format: "esm",
            jsx: "automatic",
            jsxImportSource: "treadle",
            logLevel: "error",
          }),
      ],
      ["Vite's build for servers", (outDir) => vite({ ssr: program, outDir })],
      [
        "Vite's library mode",
        (outDir) => vite({ lib: { entry: program, formats: ["es"], fileName: "program" }, outDir }),
      ],
    ];

    const vite = (options: object) =>
      buildWithVite({
        root: project.path("."),
        configFile: false,
        logLevel: "error",
        oxc: { jsx: react },
        build: { target: "node20.19", minify: false, ...options },
      });

    it.each(bundlers)("%s, without the optional packages", async (_name, bundle) => {
      project.write(
        program,
        'import { OpenAIAgent, runWorkflow } from "treadle"; import flow from "./flow"; new OpenAIAgent({ model: "m", apiKey: "k" }); console.log((await runWorkflow(flow, { input: {} })).status);',
      );
      rmSync(project.path("bundle"), { recursive: true, force: true });
      await bundle(project.path("bundle"));
      expect(project.node(["bundle/program.js"]).trim()).toBe("finished");
    });
  });

  it("says which package to install when something is made of one that is not there, and only then", () => {
    const script = `
      const { inspect } = await import("node:util");
      const treadle = await import("treadle");
      inspect(treadle, { depth: 3 });
      await treadle.ServiceObservability;
      for (const use of [treadle.trackServiceEvent, treadle.createServiceObservabilityLayer, () => treadle.ServiceObservability.of]) {
        try { use({}); } catch ({ code, message }) { console.log(code, /npm install effect@4/.test(message)); }
      }
    `;
    const said = project.node(["--input-type=module", "-e", script]).trim();
    expect(said.split("\n")).toEqual(Array(3).fill("OPTIONAL_PACKAGE_MISSING true"));
  });

  it("compiles, library declarations included, with TypeScript 5.9 and 7, also as seen from a CommonJS file", () => {
    project.write(
      "program.cts",
      `import { runWorkflow, ServiceError } from "treadle";
import testing = require("treadle/testing");
import { z } from "zod";
export const used = [runWorkflow, testing.testWorkflow, ServiceError, z];
`,
    );
    expect(project.compile("typescript")).toBe("");
    expect(project.compile("typescript-5")).toBe("");
  });

  it("compiles with the settings that the README names, and no others", () => {
    const readme = readFileSync(project.path("node_modules/treadle/README.md"), "utf8");
    const named = /and (`"module"[^.]*)in its `tsconfig\.json`/.exec(readme)?.[1] ?? "";
    const settings = [...named.matchAll(/"(\w+)":\s*"([\w-]+)"/g)].map(([, name, value]) => [name, value]);
    expect(settings.length).toBeGreaterThan(2);
    const usual = readFileSync(project.path("tsconfig.json"), "utf8");
    project.write("tsconfig.json", JSON.stringify({ compilerOptions: Object.fromEntries(settings) }));
    expect(project.compile("typescript", ["--noEmit"])).toBe("");
    project.write("tsconfig.json", usual);
  });

  it("compiles and runs beside the oldest zod and React that it takes", () => {
    const project = install({ zod: "zod-oldest", react: "react-oldest" });
    expect(project.compile()).toBe("");
    expect(JSON.parse(project.treadle("up", "flow.tsx", "--json", "--set", "by=2"))).toMatchObject({
      status: "finished",
      output: { n: 2 },
    });
  });

  it("compiles beside a second copy of zod of another minor", () => {
    const project = install({ zod: "zod-oldest" });
    project.copyInto("zod", "node_modules/treadle/node_modules/zod");
    expect(project.compile()).toBe("");
  });
});
