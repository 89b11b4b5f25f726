import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { once } from "../../util/once.js";
import { removeTree } from "../remove-tree.js";
import { SANDBOXES } from "../sandbox-folder.js";

/** The workspaces of a run, beside the folders of its sandboxes. Those have an `@` in their names. */
const WORKSPACES = "workspaces";

/** One sandbox's use of a workspace. */
const use = once(() =>
  z.object({
    /** Key of the task that did the work inside. */
    by: z.string(),
    /** What it has left: a snapshot of the run's folder, and one of the workspace. */
    snapshotId: z.string(),
    /** Its changes are about to be put into the run's folder, without a question. */
    isDue: z.boolean(),
  }),
);
export type WorkspaceUse = z.infer<ReturnType<typeof use>>;

const state = once(() =>
  z.object({
    /** The folder that it is a copy of. */
    rootDir: z.string(),
    /** The snapshot that it began with; null = the run's folder. */
    from: z.string().nullable(),
    /** Epoch milliseconds; null = never. */
    expiresAtMs: z.number().nullable(),
    /** In their order. */
    uses: z.array(use()),
  }),
);
export type WorkspaceState = z.infer<ReturnType<typeof state>>;

/** Where a workspace of a run is kept. */
export class WorkspaceFolder {
  /** What the sandbox sees. */
  readonly files: string;
  /** The engine's repository of its snapshots. */
  readonly snapshots: string;
  readonly lock: string;
  /** For a patch on its way from one snapshot to another. */
  readonly patchFile: string;
  readonly #path: string;

  constructor(root: string, { runId, name }: { runId: string; name: string }) {
    this.#path = join(root, SANDBOXES, runId, WORKSPACES, name);
    const at = (file: string) => join(this.#path, file);
    this.files = at("files");
    this.snapshots = at("snapshots");
    this.lock = at("lock");
    this.patchFile = at("merged.patch");
  }

  async readState(): Promise<WorkspaceState | undefined> {
    const text = await readFile(join(this.#path, "state.json"), "utf8").catch(() => undefined);
    return text === undefined ? undefined : state().parse(JSON.parse(text));
  }

  async writeState(now: WorkspaceState): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const path = join(this.#path, "state.json");
    await writeFile(`${path}.new`, JSON.stringify(now), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }

  /** The run's folder has what a use has changed. A file of its own: another sandbox may be at work in the workspace by then. */
  async noteAccepted(snapshotId: string): Promise<void> {
    if (!existsSync(this.#path)) return;
    await mkdir(join(this.#path, "accepted"), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#path, "accepted", snapshotId), "", { mode: 0o600 });
  }

  isAccepted(snapshotId: string): boolean {
    return existsSync(join(this.#path, "accepted", snapshotId));
  }

  /** Its snapshots stay. */
  async removeFiles(): Promise<void> {
    await removeTree(this.files);
  }
}

/** All workspaces that runs of a folder have, or those of one name. */
export async function workspacesOf(root: string, name?: string): Promise<WorkspaceFolder[]> {
  const found: WorkspaceFolder[] = [];
  for (const runId of await namesIn(join(root, SANDBOXES))) {
    for (const each of await namesIn(join(root, SANDBOXES, runId, WORKSPACES))) {
      if (name === undefined || each === name) found.push(new WorkspaceFolder(root, { runId, name: each }));
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
