import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { WorkflowSource } from "./supervise-store.js";

/** Loads the workflow of a file and tells which files it is made of. */
export type LoadFile = (path: string, onFiles: (paths: string[]) => void) => Promise<ServiceWorkflow>;

export interface WorkflowFiles extends Required<WorkflowSource> {
  /** @param path absolute */
  workflowAt(path: string): Promise<ServiceWorkflow>;
}

interface Loaded {
  files: string[];
  stamp: string;
  workflow: Promise<ServiceWorkflow>;
}

/**
 * Loads each workflow file once, and again when it, or a file that it imports, has
 * changed. A run that names no file has no workflow here.
 */
export function createWorkflowFiles(load: LoadFile): WorkflowFiles {
  const known = new Map<string, Loaded>();
  const codeOf = (path: string): string => stampOf(known.get(path)?.files ?? [path]);
  const workflowAt = (path: string): Promise<ServiceWorkflow> => {
    const cached = known.get(path);
    if (cached !== undefined && cached.stamp === codeOf(path)) return cached.workflow;
    const loaded: Loaded = {
      files: [path],
      stamp: stampOf([path]),
      workflow: load(path, (files) => {
        loaded.files = files;
        loaded.stamp = stampOf(files);
      }),
    };
    known.set(path, loaded);
    // A failed load is tried again: what made it fail may lie outside of these files.
    loaded.workflow.catch(() => {
      loaded.stamp = "";
    });
    return loaded.workflow;
  };
  return {
    workflowAt,
    codeOf: ({ workflowPath }) => (workflowPath === null ? null : codeOf(workflowPath)),
    async workflowFor({ workflowPath, runId }) {
      if (workflowPath === null || !isAbsolute(workflowPath)) return undefined;
      if (statSync(workflowPath, { throwIfNoEntry: false }) === undefined) {
        throw new ServiceError("WORKFLOW_NOT_FOUND", `There is no file ${workflowPath} any more.`, {
          details: { runId },
        });
      }
      return workflowAt(workflowPath);
    },
  };
}

/** Changes when one of the files is written, replaced or removed. */
function stampOf(files: readonly string[]): string {
  return files
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return `${path}:${stat === undefined ? "-" : `${stat.mtimeMs}:${stat.size}`}`;
    })
    .sort()
    .join("\n");
}
