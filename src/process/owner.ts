import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { newId } from "../util/ids.js";
import { once } from "../util/once.js";

export type OwnerLiveness = "alive" | "dead" | "unknown";

/** Distinguishes a process from every other one that has, or had, its number. */
export interface ProcessIdentity {
  /** Where process numbers mean the same: a boot of a machine and a PID namespace of it. */
  space: string;
  /** When it started, in ticks since the boot. */
  startedAt: string;
}

/** Identity of a process on Linux that cannot be read; its heartbeat alone speaks for it. */
const UNKNOWN = "-";

/**
 * `<host>/<pid>/<random>`, on Linux followed by `/<boot>.<PID namespace>.<start>`: a
 * new one per session, so that two sessions of one process fence each other.
 */
export function newOwnerId(): string {
  const name = `${hostname()}/${process.pid}/${newId()}`;
  const here = thisProcess();
  if (here !== null) return `${name}/${here.space}.${here.startedAt}`;
  return process.platform === "linux" ? `${name}/${UNKNOWN}` : name;
}

/**
 * Whether the owner's process exists. Only a process whose number means the same
 * here can be asked: containers may share a host name, and numbers are used again.
 */
export function ownerLiveness(ownerId: string, here = thisProcess()): OwnerLiveness {
  const [host, pid, , identity] = ownerId.split("/");
  if (identity !== undefined) {
    const at = identity.lastIndexOf(".");
    if (here === null || identity.slice(0, at) !== here.space) return "unknown";
    return startOf(pid as string) === identity.slice(at + 1) ? "alive" : "dead";
  }
  if (host !== hostname()) return "unknown";
  try {
    process.kill(Number(pid), 0);
    return "alive";
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "alive" : "dead";
  }
}

/** Number of the owner's process; null unless it lives and its number means the same here. */
export function livingPid(ownerId: string): number | null {
  return ownerLiveness(ownerId) === "alive" ? Number(ownerId.split("/")[1]) : null;
}

/** Two sessions of one process. */
export function isSameProcess(oneId: string, otherId: string): boolean {
  const [one, other] = [oneId, otherId].map((id) => id.split("/").toSpliced(2, 1).join("/"));
  return one === other;
}

/** Read once: it does not change while the process lives. Null where the system does not tell. */
const thisProcess = once((): ProcessIdentity | null => {
  const startedAt = startOf("self");
  // A namespace may see the /proc of the one around it, where its numbers mean others.
  if (startedAt === null || startOf(String(process.pid)) !== startedAt) return null;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().replaceAll("-", "");
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
    return boot === "" || namespace === undefined
      ? null
      : { space: `${boot.slice(0, 16)}.${namespace}`, startedAt };
  } catch {
    return null;
  }
});

/** When a process started, in ticks since the boot; null when there is none, or only what is left of one. */
function startOf(pid: string): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The name of the program comes in parentheses and may hold anything.
  const [state, ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return null;
  return numbers[18] ?? null;
}
