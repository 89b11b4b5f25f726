/** A working copy that tasks ask for. */
export interface WorktreeRequest {
  /** Absolute. */
  path: string;
  /** Branch to work on; absent = none, at the base's commit. */
  branch?: string;
  baseBranch: string;
}
