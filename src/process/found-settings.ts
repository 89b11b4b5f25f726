import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ServiceError } from "../errors/service-error.js";
import { OwnFolder } from "./own-folder.js";

/** Settings of a gateway that `treadle gateway` finds by itself, in this order. */
export const GATEWAY_SETTINGS: readonly string[] = ["ts", "tsx", "mts", "js", "mjs"].map(
  (ending) => `treadle.gateway.${ending}`,
);

/** In the state folder, which no command of an agent sees: names of the settings that people have put there. */
const RECORD = "known-settings.json";
const STATE_FOLDER = ".service";

/**
 * Before a command of an agent runs: settings that come from now on may be its own.
 * @param stateFolder of a workspace; nothing is written where there is none
 */
export function noteSettings(stateFolder: string): void {
  if (!existsSync(stateFolder) || existsSync(join(stateFolder, RECORD))) return;
  const root = dirname(stateFolder);
  write(
    stateFolder,
    GATEWAY_SETTINGS.filter((name) => existsSync(join(root, name))),
  );
}

/** A person has named this file, or has had it written. */
export function acceptSettings(file: string): void {
  const stateFolder = join(dirname(file), STATE_FOLDER);
  const known = knownSettings(stateFolder);
  const name = basename(file);
  if (known !== undefined && !known.includes(name)) write(stateFolder, [...known, name]);
}

/**
 * Refuses settings that were found, and came after commands of agents had begun to work beside them.
 * @throws WORKSPACE_NOT_TRUSTED
 */
export function checkFoundSettings(file: string): void {
  const known = knownSettings(join(dirname(file), STATE_FOLDER));
  if (known === undefined || known.includes(basename(file))) return;
  throw new ServiceError(
    "WORKSPACE_NOT_TRUSTED",
    `${file} came into the workspace after commands of agents had run there, and is not loaded unless you name it. Look at it, then: \`treadle gateway --config ${basename(file)}\`.`,
    { details: { path: file } },
  );
}

/** Undefined where no command of an agent has run. A record that cannot be read names none. */
function knownSettings(stateFolder: string): readonly unknown[] | undefined {
  if (!existsSync(join(stateFolder, RECORD))) return undefined;
  try {
    const names: unknown = JSON.parse(new OwnFolder(stateFolder).read(RECORD));
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

function write(stateFolder: string, names: readonly unknown[]): void {
  new OwnFolder(stateFolder).write(RECORD, `${JSON.stringify(names)}\n`);
}
