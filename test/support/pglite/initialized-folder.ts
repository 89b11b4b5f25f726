import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PgliteDriver } from "../../../src/store/pglite/driver.js";
import { stateOfFiles } from "../state-of-files.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const INITIALIZED = join(ROOT, "node_modules/.cache/pglite");

/** What an initialized folder depends on. */
const ORIGINS = [
  "node_modules/@electric-sql/pglite/package.json",
  "node_modules/@electric-sql/pglite-pgvector/package.json",
  "src/store/pglite",
];

/**
 * Makes a folder as PGlite leaves it that has opened it for the first time: that takes it seconds of the processor,
 * which tests of what comes afterwards need not spend.
 * @returns the path it was given
 */
export async function initializePglite(dataDir: string): Promise<string> {
  const folder = join(INITIALIZED, stateOfFiles(ROOT, ORIGINS));
  if (!existsSync(folder)) await initialize(folder);
  cpSync(folder, dataDir, { recursive: true });
  return dataDir;
}

/** Under another name first: files of tests that run at once may both do it, and each finds a whole folder. */
async function initialize(folder: string): Promise<void> {
  mkdirSync(INITIALIZED, { recursive: true });
  const draft = mkdtempSync(join(INITIALIZED, "draft-"));
  const driver = await PgliteDriver.open(join(draft, "data"));
  await driver.close();
  try {
    renameSync(join(draft, "data"), folder);
  } catch {
    // Another one was first.
  }
  rmSync(draft, { recursive: true, force: true });
}
