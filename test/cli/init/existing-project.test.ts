import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder("init");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

const MANIFEST = `{
\t"name": "shop",
\t"version": "3.0.0",
\t"type": "commonjs",
\t"scripts": {
\t\t"test": "jest"
\t},
\t"dependencies": {
\t\t"react": "18.3.1"
\t},
\t"peerDependencies": { "zod": "^4.0.0" }
}
`;

const SETTINGS = `{
  // Ours.
  "compilerOptions": {
    "strict": false,
    "jsx": "preserve", /* for the page */
  },
}
`;

describe("treadle init in a project that is there", () => {
  it("adds what is missing, keeps what is there as it is written, and says both", async () => {
    const folder = projectWith({
      "package.json": MANIFEST,
      "tsconfig.json": SETTINGS,
      ".gitignore": "dist\nnode_modules",
    });
    const { code, stderr, stdout } = await callIn(folder, ["init", "--yes"]);
    expect(code).toBe(0);
    const manifest = read(folder, "package.json");
    for (const line of MANIFEST.split("\n").filter((each) => /name|version|type|test|react/.test(each))) {
      expect(manifest).toContain(line.replace(/,$/, ""));
    }
    expect(JSON.parse(manifest)).toMatchObject({
      name: "shop",
      type: "commonjs",
      scripts: { test: "jest", start: "treadle up hello.tsx", check: "tsc --noEmit" },
      dependencies: { react: "18.3.1", treadle: expect.anything() },
      devDependencies: { typescript: expect.anything(), tsx: expect.anything() },
      peerDependencies: { zod: "^4.0.0" },
    });
    expect(JSON.parse(manifest).dependencies.zod).toBeUndefined();
    expect(manifest).toMatch(/^\t"devDependencies": \{\n\t\t"@types\/node"/m);
    const settings = read(folder, "tsconfig.json");
    expect(settings).toContain("// Ours.");
    expect(settings).toContain(`"jsx": "preserve"`);
    expect(settings).toContain("/* for the page */");
    expect(settings).toContain(`"jsxImportSource": "treadle"`);
    expect(settings).toContain(`"strict": false`);
    expect(read(folder, ".gitignore")).toBe(
      "dist\nnode_modules\n.env\nservice.db*\n.service/hmr/\n.service/hosts/\n.service/known-settings.json\n",
    );
    expect(stderr).toContain(`+ scripts.start: "treadle up hello.tsx"`);
    expect(stderr).toContain(`= scripts.test: "jest" (the template has "tsx --test *.test.ts")`);
    expect(stderr).toContain(`= type: "commonjs" (the template has "module")`);
    expect(stderr).toContain(`= compilerOptions.jsx: "preserve" (the template has "react-jsx")`);
    expect(stdout).toContain("  hello.tsx\n");
    expect(stdout).toContain("  package.json  (added to)\n");
    expect(stdout).toContain("  npx tsx --test *.test.ts\n");
  });

  it("makes the files modules where there are none yet, and else says what the files that are there are", async () => {
    const manifest = `{ "name": "shop" }\n`;
    const empty = projectWith({ "package.json": manifest, "README.md": "# Shop", ".git/HEAD": "" });
    expect((await callIn(empty, ["init", "--yes"])).stderr).toContain(`+ type: "module"`);
    expect(JSON.parse(read(empty, "package.json")).type).toBe("module");
    for (const file of ["server.js", "src/deep/server.ts"]) {
      const folder = projectWith({ "package.json": manifest, [file]: "" });
      const { stderr } = await callIn(folder, ["init", "--yes"]);
      expect(stderr).toContain(`= type: not set (the template has "module")`);
      expect(JSON.parse(read(folder, "package.json")).type).toBeUndefined();
    }
  });

  it("takes the compiler's words in any case", async () => {
    const settings = `{ "compilerOptions": { "module": "nodenext", "jsx": "React-JSX" } }`;
    const folder = projectWith({ "package.json": MANIFEST, "tsconfig.json": settings });
    const { stderr } = await callIn(folder, ["init", "--yes"]);
    expect(stderr).toContain("+ compilerOptions.jsxImportSource");
    expect(stderr).not.toMatch(/compilerOptions\.(module|jsx):/);
  });

  it("changes nothing without a terminal and without --yes", async () => {
    const folder = projectWith({ "package.json": MANIFEST });
    const { code, stderr } = await callIn(folder, ["init"]);
    expect(code).toBe(4);
    expect(stderr).toContain("--yes");
    expect(stderr).toContain(`+ scripts.start: "treadle up hello.tsx"`);
    expect(read(folder, "package.json")).toBe(MANIFEST);
    expect(() => read(folder, "hello.tsx")).toThrow("ENOENT");
  });

  it("shows the same with --dry-run, and writes nothing", async () => {
    const folder = projectWith({ "package.json": MANIFEST });
    const { code, stdout } = await callIn(folder, ["init", "--dry-run", "--json"]);
    expect(code).toBe(0);
    const { changed } = JSON.parse(stdout) as {
      changed: { file: string; added: string[]; kept: string[] }[];
    };
    expect(changed.map(({ file }) => file)).toEqual(["package.json"]);
    expect(changed[0]?.added).toContain(`scripts.start: "treadle up hello.tsx"`);
    expect(read(folder, "package.json")).toBe(MANIFEST);
  });

  it("asks nothing the second time, as nothing is missing any more", async () => {
    const folder = projectWith({ "package.json": MANIFEST });
    await callIn(folder, ["init", "--yes"]);
    const before = read(folder, "package.json");
    rmSync(join(folder, "hello.tsx"));
    rmSync(join(folder, "hello.test.ts"));
    expect((await callIn(folder, ["init"])).code).toBe(0);
    expect(read(folder, "package.json")).toBe(before);
  });

  it("takes what is no JSON for something that is in the way", async () => {
    const folder = projectWith({ "package.json": "{ nothing" });
    const { code, stderr } = await callIn(folder, ["init", "--yes"]);
    expect(code).toBe(4);
    expect(stderr).toContain("package.json");
    expect(read(folder, "package.json")).toBe("{ nothing");
  });
});

describe("treadle init in a monorepo", () => {
  it.each([
    ["package.json", `{ "workspaces": ["apps/*"] }`, true],
    ["package.json", `{ "workspaces": { "packages": ["packages/*"] } }`, false],
    ["package.json", `{ "workspaces": ["./packages/flows"] }`, false],
    ["pnpm-workspace.yaml", "packages:\n  - apps/*\n", true],
    ["pnpm-workspace.yaml", "packages:\n  - packages/**\n", false],
  ])("says when %s with %s does not name the package: %s", async (file, text, isSaid) => {
    const root = projectWith({ [file]: text });
    const { code, stdout } = await callIn(root, ["init", "packages/flows", "--template", "package"]);
    expect(code).toBe(0);
    const note = `Add "packages/flows" to the packages that ${join(root, file)} names.`;
    expect(stdout.includes(note)).toBe(isSaid);
    expect(JSON.parse(read(root, "packages/flows/package.json"))).toMatchObject({
      name: "flows",
      exports: { ".": "./index.ts" },
    });
  });
});
