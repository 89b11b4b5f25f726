import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder for one measurement; `dispose` removes it. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "treadle-bench-"));
  const path = join(folder, "service.db");
  return {
    path,
    /** Bytes of the database and its WAL. */
    bytes: () =>
      [path, `${path}-wal`].reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
