import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** File of a workspace's database, in the workspace's folder. */
export const DATABASE_FILE = "service.db";

/** The nearest folder from here upwards that holds a database or a `.service` folder. */
export function findWorkspaceFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, DATABASE_FILE)) || existsSync(join(folder, ".service"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
