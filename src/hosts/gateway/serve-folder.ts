import { relative } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { FolderEntry, WorkflowFolder } from "../../hot/workflow-folder.js";
import { brokenWorkflow } from "./broken-workflow.js";
import { isKey } from "./check-registration.js";
import type { GatewayWorkspace } from "./workspace.js";

/** A gateway has of a folder what its files give, at any time. @returns ends that */
export function serveFolder(folder: WorkflowFolder, workspace: GatewayWorkspace): () => void {
  const show = (key: string) => {
    const entry = folder.entries().find((each) => each.key === key);
    const thrown = entry === undefined ? undefined : whatIsWrong(entry);
    const file = entry && (relative(workspace.root, entry.path) || entry.path);
    const broken =
      file === undefined || thrown === undefined
        ? undefined
        : brokenWorkflow({ key, file, thrown, isWatched: true });
    workspace.put(key, isKey(key) ? entry?.workflow : undefined, broken);
  };
  for (const { key } of folder.entries()) show(key);
  return folder.onChange(show);
}

function whatIsWrong({ key, error }: FolderEntry): unknown {
  if (error !== undefined || isKey(key)) return error;
  return new ServiceError(
    "INVALID_INPUT",
    `${key} is no key of a gateway: rename the file, beginning with a letter or digit.`,
  );
}
