import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateOfFiles } from "../../support/state-of-files.js";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKED = join(ROOT, "node_modules/.cache/packed");

export interface PackedPackage {
  /** Paths in the tarball. */
  files: string[];
  /** Absolute path of the tarball. */
  tarball: string;
}

/** Packs what `npm run build` has built; an unchanged build is not packed again. */
export function pack(): PackedPackage {
  const folder = join(PACKED, stateOfPackage());
  if (!existsSync(folder)) packInto(folder);
  const [packed] = Object.values(JSON.parse(readFileSync(join(folder, "listing.json"), "utf8"))) as [
    { filename: string; files: { path: string }[] },
  ];
  return { files: packed.files.map(({ path }) => path), tarball: join(folder, packed.filename) };
}

/** Under another name first: files of tests that run at once may both pack, and each finds a whole folder. */
function packInto(folder: string): void {
  mkdirSync(PACKED, { recursive: true });
  const draft = mkdtempSync(join(PACKED, "draft-"));
  const listing = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", draft], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  writeFileSync(join(draft, "listing.json"), listing);
  try {
    renameSync(draft, folder);
  } catch {
    // Another one was first.
    rmSync(draft, { recursive: true, force: true });
  }
}

function stateOfPackage(): string {
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  return stateOfFiles(ROOT, ["package.json", ...files.filter((name) => !name.startsWith("!"))]);
}
