import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { compareLoaded } from "../../src/model/loaded-file.js";
import { temporaryFolder } from "../support/temporary-folder.js";

type Files = Readonly<Record<string, string>>;

const PACKAGE: Files = {
  "node_modules/dep/package.json": '{"name":"dep","main":"index.js"}',
  "node_modules/dep/index.js": "module.exports = 1;",
};

const PROJECT: Files = {
  ...PACKAGE,
  "package.json": '{"type":"module","imports":{"#own":"./flows/own.ts"}}',
  "tsconfig.json": '{"extends":"./base.json"}',
  "base.json": '{"compilerOptions":{"strict":true}}',
  "flows/flow.ts": `
    import "./lib.js"; import "./parts"; import "./folder"; import "#own"; import "dep"; import text from "./text.md";
    import data from "./data.json";
    export const later = () => import("./later"); export default [text, data];`,
  "flows/lib.ts": 'export * from "./inner/deep";',
  "flows/inner/deep.ts": "export const deep = 1;",
  "flows/parts.ts": "export const parts = 1;",
  "flows/folder/index.ts": "export const folder = 1;",
  "flows/own.ts": "export const own = 1;",
  "flows/later.ts": "export const later = 1;",
  "flows/text.md": "Hello",
  "flows/data.json": "{}",
};

function project() {
  const folder = temporaryFolder("loaded");
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const loaded = async () => {
    const outfile = join(folder, "out.mjs");
    const resolveOwn = (name: string) => name;
    const bundle = await bundleWorkflow({
      entry: join(folder, "flows/flow.ts"),
      outfile,
      cwd: folder,
      resolveOwn,
    });
    return bundle.loaded;
  };
  write(PROJECT);
  return { folder, write, loaded };
}

async function changesAfter(change: (scene: ReturnType<typeof project>) => void) {
  const scene = project();
  const before = await scene.loaded();
  change(scene);
  const changes = compareLoaded(before, await scene.loaded());
  return changes.map((one) => `${one.change} ${one.path}`);
}

const afterWriting = (files: Files) => changesAfter(({ write }) => write(files));

describe("what is kept about where a workflow's code comes from", () => {
  it("is each file but the workflow's own, each package, and what decided the imports", async () => {
    const found = await project().loaded();
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "settings ../base.json",
      "package ../node_modules/dep",
      "settings ../package.json",
      "settings ../tsconfig.json",
      "code data.json",
      "code folder/index.ts",
      "code inner/deep.ts",
      "code later.ts",
      "code lib.ts",
      "code own.ts",
      "code parts.ts",
      "code text.md",
    ]);
  });

  it("is the same for the same files in another folder", async () => {
    expect(compareLoaded(await project().loaded(), await project().loaded())).toEqual([]);
  });

  it.each<[string, Files]>([
    ["comments, types and formatting", { "flows/parts.ts": "// why\nexport   const parts: number = 1" }],
    ["comments in a tsconfig", { "base.json": '{ // why\n "compilerOptions": {"strict": true,} }' }],
    [
      "an option for checks only",
      { "base.json": '{"compilerOptions":{"strict":true,"noUnusedLocals":true}}' },
    ],
    [
      "another version of the manifest",
      { "package.json": '{"version":"2.0.0","type":"module","imports":{"#own":"./flows/own.ts"}}' },
    ],
    ["another version of a package", { "node_modules/dep/index.js": "module.exports = 2;" }],
    [
      "the workflow's file, which is compared by its tasks",
      { "flows/flow.ts": `${PROJECT["flows/flow.ts"]} 1;` },
    ],
    ["files that nothing imports", { "flows/other.ts": "1", "lib.js": "1" }],
  ])("does not change with %s", async (_, files) => {
    expect(await afterWriting(files)).toEqual([]);
  });

  it.each<[string, Files, string[]]>([
    ["code", { "flows/parts.ts": "export const parts = 2;" }, ["changed parts.ts"]],
    [
      "code that another file passes on",
      { "flows/inner/deep.ts": "export const deep = 2;" },
      ["changed inner/deep.ts"],
    ],
    ["code that is loaded later", { "flows/later.ts": "export const later = 2;" }, ["changed later.ts"]],
    ["text", { "flows/text.md": "Good evening" }, ["changed text.md"]],
    ["data", { "flows/data.json": "[]" }, ["changed data.json"]],
    [
      "a name that is preferred to .ts",
      { "flows/lib.js": "1;" },
      ["removed inner/deep.ts", "added lib.js", "removed lib.ts"],
    ],
    ["an ending that is preferred", { "flows/parts.tsx": "1;" }, ["removed parts.ts", "added parts.tsx"]],
    [
      "a file that is preferred to a folder",
      { "flows/folder.ts": "1;" },
      ["added folder.ts", "removed folder/index.ts"],
    ],
    [
      "an index with a preferred ending",
      { "flows/folder/index.tsx": "1;" },
      ["removed folder/index.ts", "added folder/index.tsx"],
    ],
    [
      "a nearer tsconfig",
      { "flows/tsconfig.json": '{"compilerOptions":{"paths":{"dep":["./evil.ts"]}}}', "flows/evil.ts": "1;" },
      [
        "removed ../base.json",
        "removed ../node_modules/dep",
        "removed ../tsconfig.json",
        "added evil.ts",
        "added tsconfig.json",
      ],
    ],
    ["a nearer tsconfig that is empty", { "flows/inner/tsconfig.json": "{}" }, ["added inner/tsconfig.json"]],
    [
      "a jsconfig where there is no nearer tsconfig",
      { "flows/inner/jsconfig.json": '{"compilerOptions":{"baseUrl":"."}}' },
      ["added inner/jsconfig.json"],
    ],
    [
      "what a tsconfig extends",
      { "base.json": '{"compilerOptions":{"strict":true,"baseUrl":"."}}' },
      ["changed ../base.json"],
    ],
    [
      "the imports of a package.json",
      { "package.json": '{"type":"module","imports":{"#own":"./flows/parts.ts"}}' },
      ["changed ../package.json", "removed own.ts"],
    ],
    [
      "a nearer package.json",
      { "flows/inner/package.json": '{"type":"commonjs"}' },
      ["added inner/package.json"],
    ],
    [
      "a nearer package",
      {
        "flows/node_modules/dep/package.json": '{"name":"dep","main":"index.js"}',
        "flows/node_modules/dep/index.js": "1;",
      },
      ["removed ../node_modules/dep", "added node_modules/dep"],
    ],
  ])("changes with %s", async (_, files, expected) => {
    expect(await afterWriting(files)).toEqual(expected);
  });

  it("changes with a folder that became a link to another one", async () => {
    const changes = await changesAfter(({ folder, write }) => {
      write({ "other/deep.ts": "export const deep = 1;" });
      renameSync(join(folder, "flows/inner"), join(folder, "flows/former"));
      symlinkSync(join(folder, "other"), join(folder, "flows/inner"));
    });
    expect(changes).toEqual(["added ../other/deep.ts", "removed inner/deep.ts"]);
  });

  it("knows a package that is kept by its version by the place that links to it", async () => {
    const { folder, write, loaded } = project();
    const installed = (version: string) => `node_modules/.pnpm/dep@${version}/node_modules/dep`;
    const install = (version: string) => {
      rmSync(join(folder, "node_modules/dep"), { recursive: true });
      write({
        [`${installed(version)}/package.json`]: '{"name":"dep","main":"index.js"}',
        [`${installed(version)}/index.js`]: `module.exports = "${version}";`,
      });
      symlinkSync(join(folder, installed(version)), join(folder, "node_modules/dep"));
    };
    const plain = await loaded();
    install("1.0.0");
    expect(compareLoaded(plain, await loaded())).toEqual([]);
    install("2.0.0");
    expect(compareLoaded(plain, await loaded())).toEqual([]);
  });
});
