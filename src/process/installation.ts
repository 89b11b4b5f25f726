import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this installation: the nearest one above this file, built or not, with a package.json. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The version of this installation. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
