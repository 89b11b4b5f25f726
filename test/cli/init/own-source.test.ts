import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ownSource } from "../../../src/cli/init/project-manifest.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

function userFolder(): string {
  return temporaryFolder("source");
}

/** An installation of the package, with the hidden lockfile that npm writes. */
function installed(resolved: string | undefined): { folder: string; own: string } {
  const folder = userFolder();
  const own = join(folder, "node_modules/treadle");
  mkdirSync(own, { recursive: true });
  cpSync(join(ROOT, "package.json"), join(own, "package.json"));
  if (resolved !== undefined) {
    const lock = { packages: { "node_modules/treadle": { resolved } } };
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify(lock));
  }
  return { folder, own };
}

it("a project made by a checkout gets that checkout", () => {
  expect(ownSource({ project: join(ROOT, "demo"), own: ROOT })).toBe("file:..");
});

it("a project made by an installed package gets its exact version", () => {
  for (const resolved of [undefined, "https://registry.example.org/treadle/-/treadle.tgz"]) {
    const { folder, own } = installed(resolved);
    expect(ownSource({ project: join(folder, "demo"), own })).toMatch(/^\d+\.\d+\.\d+/);
  }
});

it("a project made by a package that was installed from a tarball gets that tarball", () => {
  const { folder, own } = installed("file:../packed/treadle.tgz");
  expect(ownSource({ project: join(folder, "demo"), own })).toBe("file:../../packed/treadle.tgz");
});
