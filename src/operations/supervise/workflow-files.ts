import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { type CodeCheck, codeCheck } from "../request/loaded-code.js";
import type { WorkflowSource } from "./supervise-store.js";

interface LoadCalls {
  /** Called with the files that the workflow is made of. */
  onFiles(paths: string[]): void;
  /** An error that it throws keeps the code from running. */
  beforeRun: CodeCheck;
}

/** Loads the workflow of a file. */
export type LoadFile = (path: string, calls: LoadCalls) => Promise<ServiceWorkflow>;

export interface WorkflowFiles extends Required<WorkflowSource> {
  /**
   * @param path absolute
   * @param check of the run that it is loaded for: code that is loaded already is compared by the resume alone
   */
  workflowAt(path: string, check?: CodeCheck): Promise<ServiceWorkflow>;
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
  const workflowAt = (path: string, check: CodeCheck = () => {}): Promise<ServiceWorkflow> => {
    const cached = known.get(path);
    if (cached !== undefined && cached.stamp === codeOf(path)) {
      // It was refused for the run that it was loaded for, which says nothing about this one.
      return cached.workflow.catch((error: unknown) => {
        if (!ServiceError.is(error, "RESUME_METADATA_MISMATCH")) throw error;
        return workflowAt(path, check);
      });
    }
    const loaded: Loaded = {
      files: [path],
      stamp: stampOf([path]),
      workflow: load(path, {
        onFiles(files) {
          loaded.files = files;
          loaded.stamp = stampOf(files);
        },
        beforeRun: check,
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
    async workflowFor(run, store) {
      const { workflowPath, runId } = run;
      if (workflowPath === null || !isAbsolute(workflowPath)) return undefined;
      if (statSync(workflowPath, { throwIfNoEntry: false }) === undefined) {
        throw new ServiceError("WORKFLOW_NOT_FOUND", `There is no file ${workflowPath} any more.`, {
          details: { runId },
        });
      }
      return workflowAt(workflowPath, await codeCheck(store, run));
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
