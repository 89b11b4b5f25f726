import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder("init");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const HELLO = [
  ".gitignore",
  ".service/README.md",
  "hello.test.ts",
  "hello.tsx",
  "package.json",
  "tsconfig.json",
];

async function documentOf(folder: string, argv: readonly string[]) {
  const { code, stdout } = await callIn(folder, ["init", ...argv, "--json"]);
  return { code, document: JSON.parse(stdout) as Record<string, unknown> };
}

describe("treadle init", () => {
  it("writes a project into the current folder when none is named, and says what to do next", async () => {
    const folder = folderWith();
    const { code, stdout, stderr } = await callIn(folder, ["init"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(filesOf(folder)).toEqual(HELLO);
    for (const file of HELLO) expect(stdout).toContain(`  ${file}\n`);
    expect(stdout.trimEnd().split("\n").slice(-4)).toEqual([
      "Next:",
      "  npm install",
      "  npm test",
      "  npx treadle up hello.tsx",
    ]);
  });

  it("makes the folder that is named, also one whose name a shell and npm would misread", async () => {
    const folder = folderWith();
    const { document } = await documentOf(folder, ["My Flows/Treadle"]);
    expect(document).toMatchObject({
      folder: join(folder, "My Flows/Treadle"),
      template: "hello",
      files: HELLO,
      replaced: [],
      dryRun: false,
      next: ["cd 'My Flows/Treadle' && npm install", "npm test", "npx treadle up hello.tsx"],
    });
    const manifest = JSON.parse(readFileSync(join(folder, "My Flows/Treadle/package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "treadle-workflows", type: "module", private: true });
  });

  it("writes settings only where the template reads any", async () => {
    const withSettings = async (template: string) => {
      const { document } = await documentOf(folderWith(), ["--template", template, "--dry-run"]);
      return (document["files"] as string[]).includes(".env.example");
    };
    expect(await withSettings("agent")).toBe(true);
    expect(await withSettings("gateway")).toBe(true);
    expect(await withSettings("cron")).toBe(false);
  });

  it("changes nothing when files are in the way, and names all of them", async () => {
    const mine = { "package.json": "{}\n", "hello.tsx": "mine", "README.md": "mine" };
    const folder = folderWith(mine);
    symlinkSync("nowhere", join(folder, "tsconfig.json"));
    const before = readdirSync(folder);
    const { code, document } = await documentOf(folder, []);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: {
        code: "PROJECT_FILES_EXIST",
        details: { files: ["hello.tsx", "tsconfig.json"] },
      },
    });
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, "hello.tsx"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("{}\n");
  });

  it("replaces them with --force, says which, and writes through no link", async () => {
    const outside = folderWith({ "tsconfig.json": "mine" });
    const folder = folderWith({ "hello.tsx": "mine", "README.md": "mine" });
    symlinkSync(join(outside, "tsconfig.json"), join(folder, "tsconfig.json"));
    const { code, stdout } = await callIn(folder, ["init", "--force"]);
    expect(code).toBe(0);
    expect(stdout.match(/\S+(?= {2}\(replaced\))/g)).toEqual(["hello.tsx", "tsconfig.json"]);
    expect(readFileSync(join(outside, "tsconfig.json"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine");
  });

  it("writes nothing with --dry-run, and says what it would", async () => {
    const folder = folderWith();
    const { document } = await documentOf(folder, ["demo", "--dry-run"]);
    expect(document).toMatchObject({ files: HELLO, dryRun: true });
    expect(existsSync(join(folder, "demo"))).toBe(false);
  });

  it("says which place it cannot write to", async () => {
    const folder = folderWith({ demo: "a file" });
    const { document } = await documentOf(folder, ["demo"]);
    expect(document).toMatchObject({
      error: { code: "PROJECT_NOT_WRITABLE", summary: expect.stringContaining(join(folder, "demo")) },
    });
  });

  it.each([
    ["below a file", "demo/deep/er", "demo is a file"],
    ["of a name that is too long", "n".repeat(300), "is refused"],
  ])("says so of a folder %s", async (_where, path, why) => {
    const folder = folderWith({ demo: "a file" });
    const { code, document } = await documentOf(folder, [path]);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: { code: "PROJECT_NOT_WRITABLE", summary: expect.stringContaining(why) },
    });
    expect(readdirSync(folder)).toEqual(["demo"]);
  });

  it.skipIf(process.platform !== "linux")("says so of a folder that no file system makes", async () => {
    const { code, stderr } = await callIn(folderWith(), ["init", "/proc/demo/deep"]);
    expect(code).toBe(4);
    expect(stderr).toContain(
      "PROJECT_NOT_WRITABLE The folder /proc/demo/deep cannot be made: /proc/demo is refused",
    );
  });

  it("knows its templates", async () => {
    const { code, document } = await documentOf(folderWith(), ["--template", "helo"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: {
        summary: expect.stringContaining("hello, agent, approval, cron, gateway, webhook, page, package"),
      },
    });
  });
});

it("a project inside of a workspace is a workspace of its own", async () => {
  const folder = folderWith({ "service.db": "" });
  mkdirSync(join(folder, "demo"));
  await callIn(folder, ["init", "demo"]);
  const { findWorkspaceFolder } = await import("../../../src/store/workspace-folder.js");
  expect(findWorkspaceFolder(join(folder, "demo"))).toBe(join(folder, "demo"));
});
