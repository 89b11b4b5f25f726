import { relative } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { FolderEntry, WorkflowFolder } from "../../hot/workflow-folder.js";
import { brokenWorkflow } from "./broken-workflow.js";
import { type CheckedRegistration, checkRegistration, isKey } from "./check-registration.js";
import type { GatewayRegisterOptions } from "./gateway-options.js";
import type { GatewayWorkspace } from "./workspace.js";

export interface FolderServing {
  folder: WorkflowFolder;
  /** How the workflows of files are registered, by key. */
  registrations: ReadonlyMap<string, GatewayRegisterOptions>;
}

/** A gateway has of a folder what its files give, at any time. @returns ends that */
export function serveFolder(
  { folder, registrations }: FolderServing,
  workspace: GatewayWorkspace,
): () => void {
  const show = (key: string) => {
    const entry = folder.entries().find((each) => each.key === key);
    const registered = entry?.workflow && registration(entry, registrations.get(key));
    const thrown = entry === undefined ? undefined : (whatIsWrong(entry) ?? registered?.thrown);
    const file = entry && (relative(workspace.root, entry.path) || entry.path);
    const broken =
      file === undefined || thrown === undefined
        ? undefined
        : brokenWorkflow({ key, file, thrown, isWatched: true });
    const workflow = isKey(key) && registered?.options !== undefined ? entry?.workflow : undefined;
    workspace.put(key, { workflow, broken, options: registered?.options ?? {} });
  };
  for (const { key } of folder.entries()) show(key);
  return folder.onChange(show);
}

function registration(
  { key, workflow }: FolderEntry,
  given: GatewayRegisterOptions = {},
): { options?: CheckedRegistration; thrown?: unknown } {
  // A file may have any name; that it cannot be a key is said of the file.
  if (!isKey(key) || workflow === undefined) return {};
  try {
    return { options: checkRegistration(key, workflow, given) };
  } catch (thrown) {
    return { thrown };
  }
}

function whatIsWrong({ key, error }: FolderEntry): unknown {
  if (error !== undefined || isKey(key)) return error;
  return new ServiceError(
    "INVALID_INPUT",
    `${key} is no key of a gateway: rename the file, beginning with a letter or digit.`,
  );
}
