import { mkdir, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxWorkspace } from "../../model/sandbox-access.js";
import { holding } from "../../process/lock-file.js";
import { Snapshots } from "../patches/snapshots.js";
import { findSnapshot, type WorkspaceSnapshot } from "./find-snapshot.js";
import type { FilesRequest, GivenFiles } from "./given-files.js";
import { merged } from "./merged.js";
import { removeIdleWorkspaces } from "./remove-idle.js";
import { WorkspaceFolder, type WorkspaceState, type WorkspaceUse } from "./workspace-folder.js";

/** Between two looks whether another sandbox has left the workspace, milliseconds. */
const BETWEEN_LOOKS_MS = 100;
/** Looks for changes of the use before that are about to be put into the run's folder: half a minute. */
const MOST_LOOKS = 300;

/**
 * Works in a workspace that other sandboxes of the run have used and will use. One sandbox at a time: others wait.
 *
 * It begins as the last use that was kept has left it. A task that has used it before begins where it began then: its use was
 * not kept by the run, or is to be made again, and what was built on it goes with it.
 */
export async function inStickyWorkspace<T>(
  request: FilesRequest,
  workspace: SandboxWorkspace,
  work: (files: GivenFiles) => Promise<T>,
): Promise<T> {
  const { root, runId, signal } = request;
  const place = new WorkspaceFolder(root, { runId, name: workspace.name });
  await removeIdleWorkspaces(root, request.now());
  const late = () => new ServiceError("SANDBOX_EXECUTION_FAILED", `Workspace ${workspace.name} is in use.`);
  const lock = {
    path: place.lock,
    signal,
    betweenLooksMs: BETWEEN_LOOKS_MS,
    late,
    onWait: () => request.onWait(),
  };
  return holding(lock, async () => work(await openWorkspace(request, workspace, place)));
}

async function openWorkspace(
  request: FilesRequest,
  workspace: SandboxWorkspace,
  place: WorkspaceFolder,
): Promise<GivenFiles> {
  const { rootDir, by, signal, folder, isAutoAccepted } = request;
  const { name } = workspace;
  const snapshots = new Snapshots(place.snapshots, signal);
  const state = await stateFor(request, workspace, place);
  await applied(place, state.uses.at(-1), request);
  const base = await snapshots.take(rootDir);
  const began = await beginning(snapshots, { request, workspace, place, state });
  const file = place.patchFile;
  const given = began === undefined ? base : await merged(snapshots, { began, base, name, file });
  await mkdir(place.files, { recursive: true, mode: 0o700 });
  await snapshots.putInto(place.files, given);
  await place.writeState(state);
  return {
    folder: { ...folder, files: place.files },
    ...{ snapshots, base, given },
    // The patch of another sandbox may have come into the run's folder meanwhile, and with it what both have.
    async settle(after) {
      const now = await snapshots.take(rootDir);
      const both = await snapshots.merge({ from: base, to: now, into: after }, file);
      await rm(file, { force: true });
      return "tree" in both ? { base: now, files: both.tree } : { base, files: after };
    },
    async keep(left) {
      const snapshotId = await snapshots.pair(left.base, left.files);
      const expiresAtMs = expiryOf(workspace, request.now());
      const use = { by, snapshotId, isDue: isAutoAccepted && left.base !== left.files };
      await place.writeState({ ...state, expiresAtMs, uses: [...state.uses, use] });
      return snapshotId;
    },
  };
}

/** What there is of the workspace and still counts. */
async function stateFor(
  { rootDir, by, now }: FilesRequest,
  workspace: SandboxWorkspace,
  place: WorkspaceFolder,
): Promise<WorkspaceState> {
  const nowMs = now();
  const from = workspace.snapshotId ?? null;
  const known = await place.readState();
  const expiresAtMs = expiryOf(workspace, nowMs);
  if (known !== undefined && known.rootDir !== rootDir) throw ofAnotherFolder(workspace.name, known.rootDir);
  const isLive = known !== undefined && known.from === from && (known.expiresAtMs ?? nowMs + 1) > nowMs;
  if (!isLive) {
    await place.removeFiles();
    return { rootDir, from, expiresAtMs, uses: [] };
  }
  const before = known.uses.findIndex((use) => use.by === by);
  return { ...known, expiresAtMs, uses: before < 0 ? known.uses : known.uses.slice(0, before) };
}

/** Without the wait a sandbox would make its patch of files that lack the changes, and it would not fit once they are there. */
async function applied(
  place: WorkspaceFolder,
  use: WorkspaceUse | undefined,
  { signal, onWait }: Pick<FilesRequest, "signal" | "onWait">,
): Promise<void> {
  if (use?.isDue !== true) return;
  for (let looks = 0; looks < MOST_LOOKS && !place.isAccepted(use.snapshotId); looks += 1) {
    onWait();
    await delay(BETWEEN_LOOKS_MS, undefined, { signal });
  }
}

async function beginning(
  snapshots: Snapshots,
  {
    request: { root, signal },
    workspace: { name },
    place,
    state,
  }: { request: FilesRequest; workspace: SandboxWorkspace; place: WorkspaceFolder; state: WorkspaceState },
): Promise<WorkspaceSnapshot | undefined> {
  const snapshotId = state.uses.at(-1)?.snapshotId ?? state.from;
  if (snapshotId === null) return undefined;
  const found = await findSnapshot(snapshots, { root, name, snapshotId }, signal);
  return place.isAccepted(snapshotId) ? { base: found.files, files: found.files } : found;
}

function expiryOf({ idleTimeoutSecs }: SandboxWorkspace, nowMs: number): number | null {
  return idleTimeoutSecs === undefined ? null : nowMs + idleTimeoutSecs * 1_000;
}

function ofAnotherFolder(name: string, rootDir: string): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The workspace ${name} of this run belongs to the folder ${rootDir}, where a sandbox has used it first: give the one in another folder another name.`,
    { details: { workspace: name, rootDir }, retryable: false },
  );
}
