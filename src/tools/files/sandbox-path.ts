import { existsSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { isInside } from "../../process/inside.js";

const LONGEST_PATH = 4_096;

/** The folder that tools are confined to. */
export interface SandboxRoot {
  /** Without symbolic links. */
  readonly realPath: string;
  /**
   * How a folder is held between check and use: by a descriptor that later calls
   * go through, or, on systems that cannot address files relative to one, by its
   * path, which is checked again afterwards.
   */
  readonly pinning: "descriptor" | "path";
}

/** Where a path of the caller really leads, link by link, relative to the root. */
export interface SandboxPath {
  readonly root: SandboxRoot;
  /** Folders from the root to the target. */
  readonly folders: readonly string[];
  /** Last component; empty for the root itself. */
  readonly name: string;
  /** The path as the caller wrote it: what messages may show. */
  readonly shown: string;
}

/** @throws TOOL_PATH_INVALID when the folder does not exist */
export async function openSandboxRoot(rootDir: string): Promise<SandboxRoot> {
  try {
    return {
      realPath: await realpath(rootDir),
      pinning: existsSync("/proc/self/fd") ? "descriptor" : "path",
    };
  } catch (error) {
    throw new ServiceError(
      "TOOL_PATH_INVALID",
      `The root folder of the tools cannot be opened (${errnoOf(error)}).`,
      { details: { rootDir } },
    );
  }
}

/**
 * Follows `path` to its real place. Parts that do not exist yet are kept as they are.
 * @throws TOOL_PATH_ESCAPE, TOOL_PATH_INVALID
 */
export async function resolveInside(root: SandboxRoot, path: string): Promise<SandboxPath> {
  if (path.trim() === "" || path.includes("\0") || path.length > LONGEST_PATH) {
    throw pathInvalid(path.slice(0, 100).replaceAll("\0", "\\0"), "is empty, too long, or has a NUL in it");
  }
  const missing: string[] = [];
  let existing = resolve(root.realPath, path);
  let real: string | undefined;
  while (real === undefined) {
    real = await realPathOrMissing(existing, path);
    if (real !== undefined) break;
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const target = resolve(real, ...missing);
  if (leadsOut(root, target)) throw pathEscape(path);
  const folders = relative(root.realPath, target)
    .split(sep)
    .filter((part) => part !== "");
  const name = folders.pop() ?? "";
  return { root, folders, name, shown: path };
}

/** Whether a path without links lies outside the root. */
export function leadsOut(root: SandboxRoot, realPath: string): boolean {
  return relative(root.realPath, realPath) !== "" && !isInside(realPath, root.realPath);
}

/** The path from the root, for messages and output. */
export function insidePath({ folders, name }: SandboxPath): string {
  return [...folders, name].join("/");
}

export function pathEscape(shown: string, details: Record<string, unknown> = {}): ServiceError {
  return new ServiceError("TOOL_PATH_ESCAPE", `The path "${shown}" leads out of the root folder.`, {
    details: { path: shown, ...details },
  });
}

/** Names `shown` and never the system error behind it: that one carries absolute paths of the host. */
export function pathInvalid(shown: string, problem: string): ServiceError {
  return new ServiceError("TOOL_PATH_INVALID", `The path "${shown}" ${problem}.`, {
    details: { path: shown },
  });
}

/** `ENOENT` and the like; the message of other errors. */
export function errnoOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "unknown error";
}

async function realPathOrMissing(candidate: string, shown: string): Promise<string | undefined> {
  try {
    return await realpath(candidate);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      throw pathInvalid(shown, `cannot be followed (${code})`);
    }
    const link = await lstat(candidate).catch(() => undefined);
    // A link without a target cannot be shown to stay inside, and its target may appear at any time.
    if (link?.isSymbolicLink()) throw pathEscape(shown, { reason: "dangling symbolic link" });
    return undefined;
  }
}
