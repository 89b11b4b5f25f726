import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CliCall } from "../engine.js";
import { recordOf, textOf } from "../json-fields.js";
import type { VibeAgentOptions } from "./vibe-options.js";
import { isRecord } from "../../../util/is-record.js";

/** Folders that are looked at, the latest first. */
const MOST_FOLDERS = 20;

/**
 * Vibe prints no id, but leaves a folder per conversation with its metadata. The one that was written
 * during this call in this working folder is ours; when there are several, it is not known.
 */
export async function findVibeSession(call: CliCall<VibeAgentOptions>): Promise<string | undefined> {
  if (call.session?.as === "resume") return call.session.id;
  const home = call.env["VIBE_HOME"] ?? join(call.env["HOME"] ?? homedir(), ".vibe");
  const folder = join(home, "logs", "session");
  const cwd = await realpath(call.cwd).catch(() => call.cwd);
  const names = (await readdir(folder).catch(() => [])).sort().reverse().slice(0, MOST_FOLDERS);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name, "meta.json");
      const written = await stat(path).catch(() => undefined);
      if (written === undefined || written.mtimeMs < call.startedAtMs) return undefined;
      const metadata = await readMetadata(path);
      const place = textOf(recordOf(metadata, "environment"), "working_directory");
      return place === cwd || place === call.cwd ? textOf(metadata, "session_id") : undefined;
    }),
  );
  const ids = found.filter((id) => id !== undefined);
  return ids.length === 1 ? ids[0] : undefined;
}

async function readMetadata(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const metadata: unknown = JSON.parse(await readFile(path, "utf8"));
    return isRecord(metadata) ? metadata : undefined;
  } catch {
    return undefined;
  }
}
