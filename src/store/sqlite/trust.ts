import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { OwnFolder } from "../../process/own-folder.js";

/** Write permission of the group and of everybody. */
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * A database says which files are loaded and which tools are started, so a
 * database is opened only if no other user could have written it: the file and every folder above
 * it belong to this user or to root, others cannot write them, and the file is no
 * link. In a sticky folder, such as the one for temporary files, others cannot
 * touch what is not theirs.
 *
 * @throws WORKSPACE_NOT_TRUSTED naming the path and what is wrong with it
 */
export function checkTrusted(path: string): void {
  const uid = process.getuid?.();
  // Windows has other permissions, and no way to ask here.
  if (uid === undefined) return;
  const problem = findProblem(path, uid);
  if (problem === undefined || isTrusted(path)) return;
  throw new ServiceError(
    "WORKSPACE_NOT_TRUSTED",
    `The database ${path} is not opened: ${problem.path} ${problem.what}.`,
    { details: { path, because: problem.path } },
  );
}

/**
 * Code that was found, and not named by who runs it, is loaded only where a database would be opened: in a folder such as
 * the one for temporary files another user could leave it for everybody who works below. A link counts by both of its ends.
 *
 * @throws WORKSPACE_NOT_TRUSTED naming the path and what is wrong with it
 */
export function checkTrustedCode(path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const problem = codeProblem(path, uid) ?? codeProblem(realpathSync(path), uid);
  if (problem === undefined || isTrusted(path)) return;
  throw new ServiceError(
    "WORKSPACE_NOT_TRUSTED",
    `The file ${path} is not loaded: ${problem.path} ${problem.what}.`,
    { details: { path, because: problem.path } },
  );
}

interface Problem {
  path: string;
  what: string;
}

function findProblem(path: string, uid: number): Problem | undefined {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, `${path}-mark`]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isSymbolicLink()) return { path: file, what: "is a symbolic link" };
    const what = stats.uid === uid ? writableBy(stats, uid) : belongsToOthers(stats);
    if (what !== undefined) return { path: file, what };
  }
  return problemAbove(path, uid);
}

function codeProblem(path: string, uid: number): Problem | undefined {
  const what = folderProblem(lstatSync(path), uid);
  return what === undefined ? problemAbove(path, uid) : { path, what };
}

function problemAbove(path: string, uid: number): Problem | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    // A missing folder is refused with words of its own.
    const what = stats === undefined ? undefined : folderProblem(stats, uid);
    if (what !== undefined) return { path: folder, what };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Of a folder, or of a file that is code. */
function folderProblem(stats: Stats, uid: number): string | undefined {
  if (stats.uid !== uid && stats.uid !== 0) return belongsToOthers(stats);
  // The permissions of a link say nothing; where it leads is checked on the way there.
  if (stats.isSymbolicLink() || (stats.mode & STICKY) !== 0) return undefined;
  return writableBy(stats, uid);
}

/** A group with the number of its user is the user's own, as many systems set it up. */
function writableBy({ mode, gid }: Stats, uid: number): string | undefined {
  if ((mode & OTHERS_WRITE) !== 0) return "can be written by everybody";
  return (mode & GROUP_WRITES) !== 0 && gid !== uid ? "can be written by a group" : undefined;
}

function belongsToOthers({ uid }: Stats): string {
  return `belongs to another user (${uid})`;
}

/** Where trust is remembered: outside of every workspace. */
export function trustFile(): string {
  const config = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(config, "treadle", "trusted.json");
}

/**
 * Remembers that a database, or a folder with everything below it, may be opened.
 * @returns the path as it is remembered, without links
 * @throws STORAGE_ERROR when it cannot be written down, or would not count where it stands
 */
export function recordTrust(path: string): string {
  const trusted = realpathSync(resolve(path));
  const file = trustFile();
  refuseUnusable(file);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const paths = [...new Set([...trustedPaths(file), trusted])].sort();
    new OwnFolder(dirname(file)).write(basename(file), `${JSON.stringify(paths, null, 2)}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw notRemembered(file, code ?? message, error);
  }
  refuseUnusable(file);
  return trusted;
}

function refuseUnusable(file: string): void {
  const problem = listProblem(file);
  if (problem !== undefined) throw notRemembered(file, `it ${problem}`);
}

function notRemembered(file: string, why: string, cause?: unknown): ServiceError {
  return new ServiceError(
    "STORAGE_ERROR",
    `Nothing is trusted: ${file}, which keeps what is, cannot be used: ${why}. XDG_CONFIG_HOME may name another folder of yours.`,
    { cause, details: { path: file } },
  );
}

function isTrusted(path: string): boolean {
  const trusted = trustedPaths(trustFile());
  if (trusted.length === 0) return false;
  const real = join(realpathSync(dirname(path)), path.slice(dirname(path).length));
  return trusted.some(
    (known) => real === known || real.startsWith(known.endsWith(sep) ? known : known + sep),
  );
}

function trustedPaths(file: string): string[] {
  if (listProblem(file) !== undefined) return [];
  try {
    const paths: unknown = JSON.parse(new OwnFolder(dirname(file)).read(basename(file)));
    return Array.isArray(paths) ? paths.filter((entry) => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

/** A list that others could have written, or that this user cannot reach, trusts nothing. */
function listProblem(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const uid = process.getuid?.() ?? stats.uid;
    if (stats.isSymbolicLink()) return "is a symbolic link";
    if (stats.uid !== uid) return belongsToOthers(stats);
    if ((stats.mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0) return "can be written by others";
    const above = problemAbove(realpathSync(file), uid);
    return above === undefined ? undefined : `lies in ${above.path}, which ${above.what}`;
  } catch (error) {
    return `cannot be reached (${(error as NodeJS.ErrnoException).code})`;
  }
}
