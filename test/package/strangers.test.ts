import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { pack, ROOT } from "./support/pack.js";
import { PackedProject } from "./support/packed-project.js";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** Scripts that npm runs, or asks about, when it installs the package. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];

describe("until the package is on the registry", () => {
  it("the README names the file that npm pack makes", () => {
    const name = basename(pack().tarball);
    const commands = [...readme.matchAll(/^npx --package (\S+) treadle init demo$/gm)];
    expect(readme).toContain(`makes \`${name}\``);
    expect(commands.map(([, path]) => path)).toEqual([`./treadle/${name}`]);
  });

  it("the package has nothing to run when it is installed", () => {
    const text = execFileSync("tar", ["-xzOf", pack().tarball, "package/package.json"], { encoding: "utf8" });
    const { scripts } = JSON.parse(text) as { scripts: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([]);
    // A clone is built by its own installation, and before it is packed.
    expect(scripts).toMatchObject({ dependencies: "npm run build", prepack: "npm run build" });
  });

  it("the README has npm run the install scripts of the packages that need it, and asks about no other", () => {
    const [, said = ""] = /`npm pkg set --json (allowScripts[^`]*)`/.exec(readme) ?? [];
    const { allowScripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      allowScripts: Record<string, boolean>;
    };
    expect(said.split(" ")).toEqual(Object.keys(allowScripts).map((name) => `allowScripts.${name}=true`));
  });
});

it("the first command of the README leaves nothing in a clone that git does not ignore", () => {
  const clone = temporaryFolder("clone");
  cpSync(join(ROOT, ".gitignore"), join(clone, ".gitignore"));
  execFileSync("git", ["init", "-q"], { cwd: clone });
  for (const path of [
    "repository-report.md",
    "service.db",
    "service.db-mark",
    ".service/x",
    "treadle-0.1.0.tgz",
  ]) {
    mkdirSync(join(clone, path, ".."), { recursive: true });
    writeFileSync(join(clone, path), "");
  }
  const left = execFileSync("git", ["status", "--short"], { cwd: clone, encoding: "utf8" });
  expect(left).toBe("?? .gitignore\n");
});

describe("in a project of tsc --init", () => {
  let project: PackedProject;
  beforeAll(() => {
    project = new PackedProject(pack(), { more: ["@types/react", "csstype"] });
  });
  afterAll(() => project.remove());

  it.each(["typescript", "typescript-5"] as const)(
    "the examples compile under the defaults of %s",
    (compiler) => {
      cpSync(join(ROOT, "examples"), project.path("examples"), { recursive: true });
      const tsc = join(ROOT, "node_modules", compiler, "bin", "tsc");
      const folder = temporaryFolder("init");
      spawnSync(process.execPath, [tsc, "--init"], { cwd: folder });
      const settings = readFileSync(join(folder, "tsconfig.json"), "utf8");
      expect(settings).toContain('"exactOptionalPropertyTypes": true');
      // What the README adds.
      const added = settings.replace(
        '"types": [],',
        '"types": ["node"], "jsxImportSource": "treadle", "noEmit": true,',
      );
      expect(added).not.toBe(settings);
      project.write("tsconfig.json", added);
      expect(project.compile(compiler, [])).toBe("");
    },
  );
});
