// Leaves beside the library what a new database file begins with, so that no process has to make each table anew.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { build } from "esbuild";

export async function writeNewDatabase(root, folder) {
  const outfile = `${root}node_modules/.cache/new-image.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: ["src/store/sqlite/new-image.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  });
  const { drawImage, IMAGE_FILE } = await import(pathToFileURL(outfile).href);
  writeFileSync(`${folder}/${IMAGE_FILE}`, drawImage(Database));
}
