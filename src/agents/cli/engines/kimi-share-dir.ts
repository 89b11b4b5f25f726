import { copyFile, mkdir, readdir, symlink, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { removeLeftFolders } from "../left-folders.js";
import type { SessionPlace } from "../engine.js";
import type { KimiAgentOptions } from "./kimi-options.js";

/*
 * Kimi keeps one file, workspaces.json, in which every process notes the folders that it works in: two
 * processes at once overwrite each other's notes. So each run has a home folder of its own. All in
 * it are links to the shared one, conversations and credentials included, except for that file and what
 * else a process rewrites.
 */

const VARIABLE = "KIMI_CODE_HOME";
/** Copied when the folder is made: known conversations stay known. */
const OWN_FILE = "workspaces.json";
/** Folder of the isolated folders, inside the shared one. */
const ISOLATED = "treadle";
const NOT_SHARED: ReadonlySet<string> = new Set([OWN_FILE, ISOLATED, "logs", "updates"]);
/** Exist before the first run, so that what the tool makes in them is shared. */
const SHARED_FOLDERS = ["sessions", "credentials"];

/** A run that no process has continued for so long begins with what the shared folder knows. */
const UNUSED_MS = 30 * 86_400_000;

/** Makes the folder of this run, and clears away those that were not used for 30 days; an explicit variable in `env` of the options is left as it is. */
export async function openShareDir(place: SessionPlace<KimiAgentOptions>): Promise<Record<string, string>> {
  const variables = isolatedShareDir(place);
  const own = variables[VARIABLE];
  if (own === undefined || place.options.env?.[VARIABLE] !== undefined) return variables;
  const shared = sharedDir(place);
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const folder of SHARED_FOLDERS) await mkdir(join(shared, folder), { recursive: true, mode: 0o700 });
  for (const name of await readdir(shared)) {
    if (!NOT_SHARED.has(name)) await unlessThere(symlink(join(shared, name), join(own, name)));
  }
  await unlessThere(copyFile(join(shared, OWN_FILE), join(own, OWN_FILE), EXCLUSIVE));
  const now = new Date();
  await utimes(own, now, now);
  await removeLeftFolders(join(shared, ISOLATED), { untouchedMs: UNUSED_MS });
  return variables;
}

/** The variable that leads Kimi to the folder of this run. */
export function isolatedShareDir(place: SessionPlace<KimiAgentOptions>): Record<string, string> {
  const explicit = place.options.env?.[VARIABLE];
  if (explicit !== undefined) return { [VARIABLE]: explicit };
  const run = place.taskContext.runId ?? place.instanceId;
  return { [VARIABLE]: join(sharedDir(place), ISOLATED, run.replace(/[^\w.-]/g, "_")) };
}

function sharedDir({ options, env }: SessionPlace<KimiAgentOptions>): string {
  return options.configDir ?? env[VARIABLE] ?? join(env["HOME"] ?? homedir(), ".kimi-code");
}

const EXCLUSIVE = 1;

/** Another task of the run may have been faster; the shared folder may hold no such file yet. */
async function unlessThere(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}
