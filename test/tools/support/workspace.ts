import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh folder with these files, gone after the test. */
export async function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "treadle-tools-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}
