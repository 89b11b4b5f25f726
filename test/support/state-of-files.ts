import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Changes with the name, the size and the time of any file at these places, which are files or folders below `root`. */
export function stateOfFiles(root: string, places: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string) => {
    const state = statSync(join(root, path));
    if (state.isFile()) hash.update(`${path} ${state.size} ${state.mtimeMs}\n`);
  };
  for (const place of places) {
    add(place);
    if (!statSync(join(root, place)).isDirectory()) continue;
    const inside = readdirSync(join(root, place), { recursive: true }).map(String).sort();
    // What processes have compiled comes and goes.
    for (const path of inside.filter((name) => !name.includes(".compiled"))) add(join(place, path));
  }
  return hash.digest("hex").slice(0, 16);
}
