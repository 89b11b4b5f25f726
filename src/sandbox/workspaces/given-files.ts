import type { SandboxWorkspace } from "../../model/sandbox-access.js";
import type { Snapshots } from "../patches/snapshots.js";
import type { SandboxFolder } from "../sandbox-folder.js";
import type { WorkspaceSnapshot } from "./find-snapshot.js";

/** The files of one attempt, as the sandbox is given them. */
export interface GivenFiles {
  readonly folder: SandboxFolder;
  readonly snapshots: Snapshots;
  /** The snapshot of the run's folder that the patch is made from. */
  readonly base: string;
  /** The snapshot that the sandbox begins with. */
  readonly given: string;
  /** What the patch is made of, now that the sandbox has left its files so. */
  settle(after: string): Promise<WorkspaceSnapshot>;
  /** Keeps them for the next sandbox. @returns the id that brings them back; undefined where nothing is kept */
  keep(left: WorkspaceSnapshot): Promise<string | undefined>;
}

/** Whose files, and which. */
export interface FilesRequest {
  /** The folder of the run, and the one that is copied. */
  readonly root: string;
  readonly rootDir: string;
  readonly runId: string;
  /** Key of the task. */
  readonly by: string;
  readonly workspace: SandboxWorkspace | undefined;
  readonly folder: SandboxFolder;
  readonly signal: AbortSignal;
  /** Its changes are put into the run's folder as soon as its work is done. */
  readonly isAutoAccepted: boolean;
  now(): number;
  /** Called while another sandbox has the workspace. */
  onWait(): void;
}
