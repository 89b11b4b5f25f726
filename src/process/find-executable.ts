import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The file that a command name stands for, searched along `PATH` of the given environment; undefined when there is none. */
export async function findExecutable(
  command: string,
  place: { env: Readonly<Record<string, string>>; cwd: string },
): Promise<string | undefined> {
  if (command.includes("/")) {
    const path = isAbsolute(command) ? command : resolve(place.cwd, command);
    return (await isExecutableFile(path)) ? path : undefined;
  }
  for (const folder of (place.env["PATH"] ?? "").split(delimiter)) {
    // An empty entry of PATH means the working folder, which an agent's commands must not come from.
    if (folder === "") continue;
    const path = join(resolve(place.cwd, folder), command);
    if (await isExecutableFile(path)) return path;
  }
  return undefined;
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
