import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runnerOf } from "../../../src/cli/runs/runner.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A project that has the package installed. */
function project() {
  const cwd = temporaryFolder();
  const bin = join(cwd, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  const link = join(bin, "treadle");
  writeFileSync(link, "");
  const main = join(cwd, "node_modules", "treadle", "dist", "main.js");
  return { cwd, bin, link, main };
}

describe("commands begin with what the user has typed:", () => {
  it.each([
    ["npm/10.9.0 node/v22.0.0 linux x64 workspaces/false", "npx treadle"],
    ["pnpm/9.1.0 npm/? node/v22.0.0 linux x64", "pnpm exec treadle"],
    ["yarn/1.22.22 npm/? node/v22.0.0 linux x64", "yarn treadle"],
    ["bun/1.2.0 npm/? node/v22.0.0 linux x64", "bunx treadle"],
  ])("%s", (npm_config_user_agent, expected) => {
    const { cwd, bin, link } = project();
    expect(runnerOf({ script: link, cwd, environment: { npm_config_user_agent, PATH: bin } })).toBe(expected);
  });

  it("the name alone, where a shell finds it", () => {
    const { cwd, bin, link } = project();
    expect(runnerOf({ script: link, cwd, environment: { PATH: `/nowhere:${bin}` } })).toBe("treadle");
  });

  it("the path of the command, from where it was called", () => {
    const { cwd, link } = project();
    expect(runnerOf({ script: link, cwd, environment: {} })).toBe("./node_modules/.bin/treadle");
    const below = join(cwd, "flows");
    mkdirSync(below);
    expect(runnerOf({ script: link, cwd: below, environment: {} })).toBe(link);
  });

  it("the command of the project, where a script of pnpm has started the file behind it", () => {
    const { cwd, main } = project();
    expect(runnerOf({ script: main, cwd, environment: {} })).toBe("./node_modules/.bin/treadle");
  });

  it("node with the file, of a clone", () => {
    const cwd = temporaryFolder();
    const script = join(cwd, "my clone", "main.js");
    expect(runnerOf({ script, cwd, environment: {} })).toBe("node './my clone/main.js'");
  });
});
