import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What Node has loaded of its own for a module that does nothing but `code`. */
function loadedBy(code: string): Set<string> {
  const program = `${code}; process.stdout.write(JSON.stringify(process.moduleLoadList));`;
  const args = ["--input-type=module", "-e", program];
  return new Set(
    JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })) as string[],
  );
}

describe("importing the package", () => {
  it("loads nothing of Node's that only an import of `node:fs` or `node:crypto` would make", () => {
    const onlyImported = ["NativeModule internal/fs/streams", "NativeModule internal/crypto/webcrypto"];
    const imported = loadedBy('import "node:fs"; import "node:crypto"');
    expect(onlyImported.filter((name) => imported.has(name))).toEqual(onlyImported);
    const loaded = loadedBy('import "treadle"');
    expect(onlyImported.filter((name) => loaded.has(name))).toEqual([]);
  });
});
