import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { resolveHotOptions } from "../../hot/options.js";
import { type FolderFile, WorkflowFolder } from "../../hot/workflow-folder.js";
import { WORKFLOW_FOLDER, workflowFilesIn } from "../../operations/index.js";
import { systemClock } from "../../util/clock.js";

export interface OpenFolderRequest {
  cwd: string;
  /** Folder of the workspace. */
  root: string;
  /** As given; undefined: the workspace's own, which need not be there yet. */
  folder: string | undefined;
  /** Files of other places that are followed as well, by key. @default none */
  more?: ReadonlyMap<string, string>;
}

/** The workflow files of a folder, loaded and watched. The caller closes it. @throws CLI_USAGE, HOT_OVERLAY_FAILED */
export async function openFolder({
  cwd,
  root,
  folder,
  more = new Map(),
}: OpenFolderRequest): Promise<WorkflowFolder> {
  const path = folder === undefined ? join(root, WORKFLOW_FOLDER) : resolve(cwd, folder);
  if (folder !== undefined) refuseNoFolder(path, folder);
  return WorkflowFolder.open({
    ...resolveHotOptions(true, root),
    clock: systemClock,
    list: () => together(more, workflowFilesIn(path)),
  });
}

/** A file that is named has the key that it is named by, and no second one of its own. */
function together(more: ReadonlyMap<string, string>, found: readonly FolderFile[]): FolderFile[] {
  const named = [...more].map(([name, path]) => ({ name, path })).filter(({ path }) => existsSync(path));
  const taken = new Set(named.map(({ path }) => path));
  return [...named, ...found.filter(({ name, path }) => !more.has(name) && !taken.has(path))];
}

function refuseNoFolder(path: string, folder: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const fix = existsSync(path)
    ? `\`treadle up ${relative(process.cwd(), path)} --hot\` runs one workflow`
    : `make it, or leave the name out for ${WORKFLOW_FOLDER}`;
  throw new ServiceError("CLI_USAGE", `${folder} is no folder: ${fix}.`, { details: { path } });
}
