import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ServiceError } from "../../errors/service-error.js";
import { isLoopbackHost } from "../../hosts/http/loopback.js";
import { findWorkspaceFolder } from "../../store/index.js";

/** In the workspace's private folder, which is not there for tools and agents. */
const FOLDER = ".service/hosts";

/** How long the link to a page can be opened, milliseconds. */
const LINK_MS = 60_000;

export interface HostToken {
  /** Absolute path of the file that commands of this machine read it from. */
  path: string;
  /**
   * A page of this user alone that leads to another one with the token, once: other users see the arguments of a
   * browser's process, and not this file.
   * @returns its address
   */
  link(page: string): string;
  remove(): void;
}

/** The token of a host that was given none. It is worth nothing once the host has stopped. */
export function newHostToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Leaves a host's token for other commands of the same user in the same workspace.
 * @throws STORAGE_ERROR when the folder is a link, belongs to another user, or cannot be written
 */
export function leaveHostToken(root: string, port: number, token: string): HostToken {
  const folder = join(root, FOLDER);
  const path = join(folder, `${port}.token`);
  const unusable = (cause?: unknown) =>
    new ServiceError(
      "STORAGE_ERROR",
      `The host's token cannot be kept in ${folder}: give one with --auth-token, or let every program of this machine in with --no-auth.`,
      { details: { path: folder }, cause },
    );
  try {
    for (const part of [join(root, ".service"), folder]) {
      mkdirSync(part, { recursive: true, mode: 0o700 });
      // A link leads out of the private folder, and a folder of another user is that one's to replace.
      const stats = lstatSync(part);
      if (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) throw unusable();
    }
    writePrivately(path, token);
  } catch (error) {
    throw ServiceError.is(error) ? error : unusable(error);
  }
  let opening: PrivateLink | undefined;
  return {
    path,
    link(page) {
      const made = linkWithToken(root, page, { port, token });
      opening = made;
      setTimeout(() => made.remove(), LINK_MS).unref();
      return made.url;
    },
    remove() {
      rmSync(path, { force: true });
      opening?.remove();
    },
  };
}

export interface PrivateLink {
  /** Of a file. */
  url: string;
  remove(): void;
}

/** As `link` of HostToken; the caller removes it. */
export function linkWithToken(root: string, page: string, { port, token }: LeftToken): PrivateLink {
  const path = join(root, FOLDER, `${port}.html`);
  const target = JSON.stringify(`${page}#token=${token}`).replaceAll("<", "\\u003c");
  writePrivately(path, `<!doctype html><script>location.replace(${target})</script>`);
  return { url: pathToFileURL(path).href, remove: () => rmSync(path, { force: true }) };
}

/** A host of this machine and its token. */
export interface LeftToken {
  port: number;
  token: string;
}

/** What hosts have left for commands of this workspace; those that were killed are among them. */
export function leftHostTokens(root: string): LeftToken[] {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => {
    const port = Number(/^(\d{1,5})\.token$/.exec(name)?.[1]);
    const token = Number.isNaN(port) ? undefined : readHostToken(join(folder, name));
    return token === undefined ? [] : [{ port, token }];
  });
}

/** A file that is there already, or a link, gives way. */
function writePrivately(path: string, text: string): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  rmSync(path, { force: true });
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  writeSync(file, text);
  closeSync(file);
}

/** The token that a host of this machine has left for commands of this workspace; undefined where there is none. */
export function findHostToken(cwd: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  const root = findWorkspaceFolder(cwd);
  if (root === undefined || !isLoopbackHost(hostname)) return undefined;
  return readHostToken(join(root, FOLDER, `${port || (protocol === "https:" ? 443 : 80)}.token`));
}

function readHostToken(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const { uid, mode } = fstatSync(file);
    // A file that another user has put there, or could have read, is no token of this user's host.
    if ((process.getuid?.() ?? uid) !== uid || (mode & 0o077) !== 0) return undefined;
    return readFileSync(file, "utf8").trim() || undefined;
  } finally {
    closeSync(file);
  }
}
