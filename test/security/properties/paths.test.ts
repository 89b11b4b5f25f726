import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { leadsOut, openSandboxRoot, resolveInside } from "../../../src/tools/files/sandbox-path.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import { workspace } from "../../tools/support/workspace.js";

it("no path leads out of the root, whatever it is made of", async () => {
  const outside = await workspace({ secret: "x" });
  const rootDir = await workspace({ "a/b/c.txt": "x", "d/e.txt": "x" });
  await mkdir(join(rootDir, "links"));
  await symlink(outside, join(rootDir, "links/out"));
  await symlink("../a", join(rootDir, "links/in"));
  await symlink("loop", join(rootDir, "links/loop"));
  await symlink("../../..", join(rootDir, "links/up"));
  await symlink("/", join(rootDir, "links/top"));
  const root = await openSandboxRoot(rootDir);
  const part = fc.oneof(
    fc.constantFrom(
      "a",
      "b",
      "c.txt",
      "d",
      "links",
      "out",
      "in",
      "loop",
      "up",
      "top",
      "..",
      ".",
      "",
      "...",
      "~",
    ),
    fc.constantFrom("\\", "%2e%2e", "\u2024\u2024", "..\u200b", "\0", "proc", "self", "root", "etc", "new"),
    fc.string({ maxLength: 5, unit: "binary" }),
  );
  const path = fc
    .tuple(fc.constantFrom("", "/", "//", rootDir, outside, `${rootDir}/`), fc.array(part, { maxLength: 8 }))
    .map(([start, parts]) => `${start}${parts.join("/")}`);
  await fc.assert(
    fc.asyncProperty(path, async (shown) => {
      const target = await resolveInside(root, shown).catch((error) => {
        expect(["TOOL_PATH_ESCAPE", "TOOL_PATH_INVALID"]).toContain(error.code);
        return undefined;
      });
      if (target === undefined) return;
      const place = [rootDir, ...target.folders, target.name].join("/");
      expect(leadsOut(root, place)).toBe(false);
      for (const name of [...target.folders, target.name]) expect(["..", "."]).not.toContain(name);
      expect(place).not.toContain("\0");
    }),
    propertyRuns(3_000),
  );
});
