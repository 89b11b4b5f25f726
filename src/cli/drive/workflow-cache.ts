import { statSync } from "node:fs";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { WorkflowSource } from "../../operations/supervise/supervise-store.js";

/** Loads a run's workflow and tells which files it is made of. */
export type LoadFiles = (run: RunRow, onFiles: (paths: string[]) => void) => Promise<ServiceWorkflow>;

interface Loaded {
  files: string[];
  stamp: string;
  workflow: Promise<ServiceWorkflow>;
}

/**
 * Loads each workflow file once, and again when it, or a file that it imports, has
 * changed. A run that names no file has no workflow here.
 */
export function createWorkflowCache(load: LoadFiles): Required<WorkflowSource> {
  const known = new Map<string, Loaded>();
  const codeOf = (path: string): string => stampOf(known.get(path)?.files ?? [path]);
  return {
    codeOf: ({ workflowPath }) => (workflowPath === null ? null : codeOf(workflowPath)),
    async workflowFor(run) {
      const { workflowPath, runId } = run;
      if (workflowPath === null) return undefined;
      if (statSync(workflowPath, { throwIfNoEntry: false }) === undefined) {
        throw new ServiceError("WORKFLOW_NOT_FOUND", `There is no file ${workflowPath} any more.`, {
          details: { runId },
        });
      }
      const cached = known.get(workflowPath);
      if (cached !== undefined && cached.stamp === codeOf(workflowPath)) return cached.workflow;
      const loaded: Loaded = {
        files: [workflowPath],
        stamp: stampOf([workflowPath]),
        workflow: load(run, (files) => {
          loaded.files = files;
          loaded.stamp = stampOf(files);
        }),
      };
      known.set(workflowPath, loaded);
      // A failed load is tried again: what made it fail may lie outside of these files.
      loaded.workflow.catch(() => {
        loaded.stamp = "";
      });
      return loaded.workflow;
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
