import { mkdir, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const PREFIX = "treadle-";
/** An empty cgroup that is this old belongs to no call: a call enters its own at once. Milliseconds. */
const LEFT_AFTER_MS = 60_000;

/** Looks at a cgroup whose processes have been killed before it is left to a later call, and the time between two. */
const LOOKS = 40;
const BETWEEN_LOOKS_MS = 5;

/** A limit of processes that holds for root too, which RLIMIT_NPROC does not. */
export interface ProcessCgroup {
  /** Writing "0" to it takes the writer, and all that it starts from then on, under the limit. */
  readonly entrance: string;
  remove(): Promise<void>;
}

/**
 * A cgroup for one call, below the engine's own so that the engine's limits continue to hold. Only where the engine
 * may make one in a `pids` hierarchy of version 1: in version 2 a cgroup with processes in it, as the engine's,
 * hands no limits to those below it.
 * @returns undefined where there can be none
 */
export async function processCgroup(
  callId: string,
  maxProcesses: number,
): Promise<ProcessCgroup | undefined> {
  const parent = await ownCgroup();
  if (parent === undefined) return undefined;
  await removeLeft(parent);
  const folder = join(parent, `${PREFIX}${callId}`);
  try {
    await mkdir(folder);
    await writeFile(join(folder, "pids.max"), String(Math.ceil(maxProcesses)));
  } catch {
    await isRemoved(folder);
    return undefined;
  }
  return { entrance: join(folder, "cgroup.procs"), remove: () => removeDying(folder) };
}

/** Where this process stands in the `pids` hierarchy, as a folder. */
async function ownCgroup(): Promise<string | undefined> {
  const [memberships, mounts] = await Promise.all([
    readFile("/proc/self/cgroup", "utf8").catch(() => ""),
    readFile("/proc/self/mountinfo", "utf8").catch(() => ""),
  ]);
  const own = /^\d+:(?:[^:\n]*,)?pids(?:,[^:\n]*)?:(\/.*)$/m.exec(memberships)?.[1];
  if (own === undefined || own.split("/").includes("..")) return undefined;
  for (const mount of mounts.split("\n")) {
    // "36 25 0:32 ROOT PLACE options… - TYPE source superoptions"
    const [place, system] = mount.split(" - ").map((part) => part.split(" "));
    const [root, folder] = place?.slice(3, 5) ?? [];
    if (root === undefined || folder === undefined || system?.[0] !== "cgroup") continue;
    if (system[2]?.split(",").includes("pids") !== true) continue;
    if (root === "/") return join(folder, own);
    if (own === root || own.startsWith(`${root}/`)) return join(folder, own.slice(root.length));
  }
  return undefined;
}

/** Removes the cgroups of killed engines: the kernel removes no cgroup with a process in it. */
async function removeLeft(parent: string): Promise<void> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  await Promise.all(
    names.map(async (name) => {
      const folder = join(parent, name);
      const found = await stat(folder).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await isRemoved(folder);
    }),
  );
}

/** Processes that have been killed may need a moment to be gone. */
async function removeDying(folder: string): Promise<void> {
  for (let look = 0; look < LOOKS && !(await isRemoved(folder)); look += 1) await delay(BETWEEN_LOOKS_MS);
}

function isRemoved(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}
