import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { foldersAbove, isThere } from "./folders-above.js";
import { gitFoldersAround } from "./git-folders.js";
import { homeOf } from "./home.js";
import { type Confinement, type Isolation, innerShell } from "./isolation.js";
import { commandFilter } from "./seccomp.js";

/** Folders that the command has to itself: scratch space, and sockets of the host's services. */
const PRIVATE_FOLDERS = ["/tmp", "/var/tmp", "/run", "/dev/shm"];
/** Where the resolver's configuration really lies on some systems. */
export const RESOLVER = "/run/systemd/resolve";
/** Bubblewrap, its process number 1 and the inner shell. */
export const OWN_PROCESSES = 3;

interface Mount {
  readonly path: string;
  readonly argv: readonly string[];
}

/**
 * A command in namespaces of its own with bubblewrap: the system read-only, the root writable, nothing
 * of `/tmp`, `/run`, the home folder, `/proc` and the devices of the host, no capabilities.
 */
export function bubblewrap(executable: string, confinement: Confinement): Isolation {
  const { network, cwd, env } = confinement;
  const filter = commandFilter();
  const argv = [
    executable,
    // A user namespace also for root: outside of one it could enter the namespaces of another process.
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--cap-drop", "ALL"],
    ...mounts(confinement).flatMap((mount) => mount.argv),
    ...["--chdir", cwd],
    ...(env["TMPDIR"] === undefined ? [] : ["--setenv", "TMPDIR", "/tmp"]),
    ...(filter === undefined ? [] : ["--seccomp", "5"]),
    "--",
    ...innerShell(confinement),
  ];
  const maxProcesses = confinement.maxProcesses + OWN_PROCESSES;
  return { tool: "bwrap", argv, maxProcesses, ...(filter !== undefined && { filter }) };
}

/**
 * A command line that covers files and keeps everything else. Some systems permit bubblewrap what they
 * refuse to other programs.
 */
export function bubblewrapCover(executable: string, hidden: readonly string[]): Isolation {
  const argv = [
    ...[executable, "--unshare-user", "--die-with-parent", "--cap-drop", "ALL", "--dev-bind", "/", "/"],
    ...foldersAbove(hidden, "/").flatMap((folder) => ["--dev-bind", folder, folder]),
    ...covers(hidden).flatMap((mount) => mount.argv),
    "--",
  ];
  return { tool: "bwrap", argv };
}

/** In the order of their depth: what lies inside another mount has to come after it. */
function mounts({ network, root, env, hidden, frozen }: Confinement): Mount[] {
  const home = homeOf(env);
  const git = gitFoldersAround(root);
  const list: Mount[] = [
    { path: "/", argv: ["--ro-bind", "/", "/"] },
    { path: "/dev", argv: ["--dev", "/dev"] },
    { path: "/proc", argv: ["--proc", "/proc"] },
    ...kernelSettings().map(readOnly),
    ...PRIVATE_FOLDERS.filter(isFolder).map(empty),
    ...(home.folder === undefined ? [] : [empty(home.folder)]),
    ...[...home.readable, ...git.readable, ...(network ? [RESOLVER] : [])].map(readOnly),
    ...git.replaced.map(empty),
    ...git.writable.map(writable),
    writable(root),
    ...foldersAbove([...frozen, ...hidden], root).map(writable),
    ...[...git.frozen, ...frozen].map(readOnly),
    ...covers(hidden),
  ];
  const depth = ({ path }: Mount) => path.split("/").filter(Boolean).length;
  return list.sort((a, b) => depth(a) - depth(b));
}

/**
 * Everything in `/proc` that is of the host and not of a process. The kernel looks at nothing but the user there:
 * a command of root would change settings of the machine without a capability.
 */
export function kernelSettings(): string[] {
  // By their names alone: to ask for the type of each would fail with a process that ends meanwhile.
  const ofHost = readdirSync("/proc").filter((name) => !/^\d+$/.test(name));
  return ofHost.map((name) => join("/proc", name)).filter(isSetting);
}

function covers(hidden: readonly string[]): Mount[] {
  return hidden.filter(isThere).map((path) => (isFolder(path) ? empty(path) : nothing(path)));
}

const empty = (path: string): Mount => ({ path, argv: ["--tmpfs", path] });
const nothing = (path: string): Mount => ({ path, argv: ["--ro-bind", "/dev/null", path] });
const writable = (path: string): Mount => ({ path, argv: ["--bind", path, path] });
const readOnly = (path: string): Mount => ({ path, argv: ["--ro-bind-try", path, path] });

/** A folder, or a file that may be written; a link is none, as what it leads to is in the list itself. */
function isSetting(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return false;
  return stats.isDirectory() || (stats.mode & 0o222) !== 0;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
