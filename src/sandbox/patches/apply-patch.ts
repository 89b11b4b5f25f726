import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { realPath } from "../../process/workspace-state.js";
import { type Change, NO_FILE, shownPath } from "./change.js";
import { checkChanges } from "./check-changes.js";
import { conflictError } from "./conflicts.js";
import { alone } from "./folder-lock.js";
import { putFiles, takeBack } from "./put-files.js";
import { Snapshots } from "./snapshots.js";

/** In the folder of an application: what is put in place, written once all of it is known to fit. */
const JOURNAL = "journal.json";
/** There once everything is in place, and says by whom. */
const DONE = "applied";
const NEW_FILES = "files";
const FORMER_FILES = "former";

const JOURNAL_ROWS = () =>
  z.array(
    z.object({
      path: z.string(),
      oldMode: z.string(),
      newMode: z.string(),
      oldId: z.string(),
      newId: z.string(),
    }),
  );

export interface Application {
  /** The folder that is changed. */
  readonly root: string;
  /** File of the patch, as `git apply` reads it. */
  readonly patchFile: string;
  /** Keeps how far it has come. Of this application alone, and where no one else writes. */
  readonly folder: string;
  /** Who applies it. @default no one's name */
  readonly by?: string;
  /** Whether the end of who has applied it before is known: then people may have taken the changes back since. @default never */
  isRecorded?(by: string): boolean;
  /** The folder may have the changes by another application. @default false */
  readonly isPerhapsThere?: boolean;
  /** Paths relative to the root that it must not change. */
  readonly frozen?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The newest application to each folder: two at once would each put files in place that were made without the other. */
const newest = new Map<string, Promise<unknown>>();

/**
 * Applies a patch to a folder, all of it or nothing, and once: the same call after a crash completes what was begun, and
 * changes nothing when that was complete. When it fails on the way, what it has put in place is taken back. Where the
 * folder has all of the changes already, nothing is to be done.
 * Applications to one folder come one after the other, also those of several processes.
 * @returns the paths that it is about
 * @throws SANDBOX_BUNDLE_INVALID with the conflicting hunks, SANDBOX_BUNDLE_TOO_LARGE, SANDBOX_EXECUTION_FAILED
 */
export async function applyPatch(application: Application): Promise<string[]> {
  const root = realPath(application.root);
  const own = (newest.get(root) ?? Promise.resolve()).then(() =>
    alone(root, application.signal, () => applyAlone(application)),
  );
  const settled = own.catch(() => undefined);
  newest.set(root, settled);
  try {
    return await own;
  } finally {
    if (newest.get(root) === settled) newest.delete(root);
  }
}

async function applyAlone(application: Application): Promise<string[]> {
  const { folder, patchFile, by = "", isRecorded = () => false, isPerhapsThere = false } = application;
  if ((await stat(patchFile)).size === 0) return [];
  const known = await readJournal(folder);
  const doneBy = await textOf(join(folder, DONE));
  const isAgain = doneBy !== undefined && isRecorded(doneBy);
  if (known !== undefined && doneBy !== undefined && !isAgain) return known.map(shownPath);
  // Without a journal nothing counts as begun.
  if (isAgain) await rm(join(folder, JOURNAL), { force: true });
  const changes = isAgain || known === undefined ? await plan(application, isAgain || isPerhapsThere) : known;
  await putOrTakeBack(application, changes);
  await writeWhole(join(folder, DONE), by);
  for (const name of [NEW_FILES, FORMER_FILES])
    await rm(join(folder, name), { recursive: true, force: true });
  return changes.map(shownPath);
}

/** What others have changed meanwhile stays as they have left it. */
async function putOrTakeBack({ root, folder }: Application, changes: readonly Change[]): Promise<void> {
  try {
    await putFiles(root, changes, join(folder, NEW_FILES));
  } catch (error) {
    await takeBack(root, changes, join(folder, FORMER_FILES)).catch((cause: unknown) => {
      throw halfTakenBack(root, error, cause);
    });
    // The next call begins anew.
    await rm(join(folder, JOURNAL), { force: true });
    throw error;
  }
}

function halfTakenBack(root: string, error: unknown, cause: unknown): ServiceError {
  const [why, whyNot] = [error, cause].map((each) => ensureError(each).message);
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `A sandbox's patch could not be put into ${root} whole (${why}), and what is there of it not taken back (${whyNot}). Make the folder writable, and resume: the rest is done then.`,
    { cause: ensureError(error) },
  );
}

/** Nothing of the root changes before the whole patch is known to fit. */
async function plan(
  { root, patchFile, folder, frozen, signal }: Application,
  isPerhapsThere: boolean,
): Promise<Change[]> {
  await rm(folder, { recursive: true, force: true });
  const [files, former] = [join(folder, NEW_FILES), join(folder, FORMER_FILES)];
  for (const each of [files, former]) await mkdir(each, { recursive: true, mode: 0o700 });
  const snapshots = new Snapshots(join(folder, "git"), signal);
  const before = await snapshots.take(root);
  const after = await applied(snapshots, { before, patchFile, isPerhapsThere });
  const changes = await snapshots.changes(before, after);
  checkChanges(changes, frozen);
  await snapshots.copyFiles(
    after,
    changes.filter(({ newMode }) => newMode !== NO_FILE),
    files,
  );
  await snapshots.copyFiles(
    before,
    changes.filter(({ oldMode }) => oldMode !== NO_FILE),
    former,
  );
  const rows = changes.map((change) => ({ ...change, path: change.path.toString("latin1") }));
  await writeWhole(join(folder, JOURNAL), JSON.stringify(rows));
  await rm(join(folder, "git"), { recursive: true, force: true });
  return changes;
}

/**
 * What the patch makes of a snapshot: itself where all of the changes are there. A patch may fit a second time, so that of one
 * which has perhaps been applied this is asked first.
 * @throws SANDBOX_BUNDLE_INVALID
 */
async function applied(
  snapshots: Snapshots,
  { before, patchFile, isPerhapsThere }: { before: string; patchFile: string; isPerhapsThere: boolean },
): Promise<string> {
  if (isPerhapsThere && (await snapshots.has(before, patchFile))) return before;
  const after = await snapshots.apply(before, patchFile);
  if ("tree" in after) return after.tree;
  if (!isPerhapsThere && (await snapshots.has(before, patchFile))) return before;
  throw conflictError(after.refusal, await readFile(patchFile, "latin1"));
}

async function readJournal(folder: string): Promise<Change[] | undefined> {
  const text = await textOf(join(folder, JOURNAL));
  if (text === undefined) return undefined;
  const rows = JOURNAL_ROWS().parse(JSON.parse(text));
  return rows.map((row) => ({ ...row, path: Buffer.from(row.path, "latin1") }));
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Undefined: there is no such file. */
function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
