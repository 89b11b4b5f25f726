/** The files of a folder at one moment, as a version control system keeps them. */
export interface FileState {
  vcs: "git" | "jj";
  /** The working tree, absolute. */
  root: string;
  /** The folder that was recorded, relative to it; empty for the whole. */
  folder: string;
  /** The git folder that has its objects, absolute: the working tree may be gone. */
  gitFolder: string;
  /** Holds the files. */
  commit: string;
  /** What was checked out; null before the first commit. */
  head: string | null;
  /** Of jj: the operation that the repository was at. */
  operation?: string;
  /** Files that are not part of it, since they cannot be read or belong to a repository inside. */
  leftOut: number;
}

export interface RecordRequest {
  /** The folder of the task. */
  folder: string;
  runId: string;
  /** Paths that are never recorded, absolute and without links: the engine's own state. */
  hidden: readonly string[];
  signal?: AbortSignal | undefined;
  /** Milliseconds that it may take, 30 seconds at most. @default 30 seconds */
  limitMs?: number | undefined;
}

/** Fires when a state cannot be waited for any longer. */
export function recordSignal({
  signal,
  limitMs = RECORD_LIMIT_MS,
}: Pick<RecordRequest, "signal" | "limitMs">): AbortSignal {
  const limit = AbortSignal.timeout(Math.ceil(Math.min(limitMs, RECORD_LIMIT_MS)));
  return signal === undefined ? limit : AbortSignal.any([limit, signal]);
}

/** Records the files that one attempt of a task works on. Undefined where nothing is recorded. */
export interface AttemptFiles {
  /** Before it may change them. Only the first call counts. */
  before(): Promise<void> | undefined;
  /** Once it has ended. */
  after(): Promise<void> | undefined;
}

/** Files that have changed since the last commit, and are read for a state: more are not recorded. */
export const MOST_FILES = 20_000;
/** The same for their bytes. */
export const MOST_BYTES = 256 * 1024 * 1024;
/** Milliseconds that recording a state may take. */
const RECORD_LIMIT_MS = 30_000;
