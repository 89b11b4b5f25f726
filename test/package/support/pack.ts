import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
  const folder = join(PACKED, stateOfFiles());
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

/** Changes with the name, the size and the time of any file that may be packed. */
function stateOfFiles(): string {
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  const hash = createHash("sha256");
  const add = (path: string) => {
    const state = statSync(join(ROOT, path));
    if (state.isFile()) hash.update(`${path} ${state.size} ${state.mtimeMs}\n`);
  };
  for (const place of ["package.json", ...files.filter((name) => !name.startsWith("!"))]) {
    add(place);
    if (!statSync(join(ROOT, place)).isDirectory()) continue;
    const inside = readdirSync(join(ROOT, place), { recursive: true }).map(String).sort();
    // What processes have compiled comes and goes, and is not packed.
    for (const path of inside.filter((name) => !name.includes(".compiled"))) add(join(place, path));
  }
  return hash.digest("hex").slice(0, 16);
}
