/** A working copy that tasks ask for. */
export interface WorktreeRequest {
  /** Absolute. */
  path: string;
  /** Branch to work on; absent = none, at the base's commit. */
  branch?: string;
  /** Absent = `main`, or what is checked out where there is none. */
  baseBranch?: string;
  /** It is not needed any more when it fires. */
  signal?: AbortSignal | undefined;
}
