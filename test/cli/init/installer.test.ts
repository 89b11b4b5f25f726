import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findInstaller } from "../../../src/cli/init/installer.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function folderWith(...files: string[]): string {
  const folder = temporaryFolder("manager");
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  return folder;
}

const PNPM = { npm_config_user_agent: "pnpm/10.2.0 npm/? node/v22.0.0 linux x64" };

describe("the package manager of a new project", () => {
  it.each([
    ["package-lock.json", "npm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
  ])(
    "is that of the lockfile %s of the repository, also for a folder that is yet to be made",
    (file, name) => {
      const folder = folderWith(".git/HEAD", file);
      expect(findInstaller(join(folder, "packages/new"), {})).toBe(name);
    },
  );

  it("is that of the nearest lockfile, whatever started the command", () => {
    const folder = folderWith(".git/HEAD", "yarn.lock", "packages/package-lock.json");
    expect(findInstaller(join(folder, "packages/new"), PNPM)).toBe("npm");
  });

  it("is the one that started the command where there is no lockfile, else npm", () => {
    const folder = folderWith();
    expect(findInstaller(folder, PNPM)).toBe("pnpm");
    expect(findInstaller(folder, { npm_config_user_agent: "deno/2.0.0" })).toBe("npm");
    expect(findInstaller(folder, {})).toBe("npm");
  });

  it("is not that of a lockfile above, outside of any repository or beyond its root", () => {
    const folder = folderWith("yarn.lock", "repository/.git/HEAD");
    expect(findInstaller(join(folder, "new"), PNPM)).toBe("pnpm");
    expect(findInstaller(join(folder, "repository/new"), PNPM)).toBe("pnpm");
  });
});
