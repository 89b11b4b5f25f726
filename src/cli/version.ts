import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of this installation. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(packageFile(), "utf8")) as { version: string };
  return manifest.version;
}

/** This package's package.json: the nearest one above this file, compiled or not. */
function packageFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    try {
      readFileSync(file);
      return file;
    } catch (error) {
      if (dirname(folder) === folder) throw error;
    }
  }
}
