import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh folder that goes away with the test, without links in its path. */
export function temporaryFolder(name = "test"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `treadle-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
