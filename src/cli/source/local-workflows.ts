import { setTimeout as sleep } from "node:timers/promises";
import { basename, extname, relative } from "node:path";
import { serializeError } from "../../errors/ensure-error.js";
import {
  findWorkflows,
  inspectWorkflow,
  resolveWorkflow,
  type WorkflowFile,
  workflowRoot,
} from "../../operations/index.js";
import { checkTrustedCode } from "../../store/index.js";
import { loadWorkflow } from "../../loader/load-workflow.js";
import { stillLoading } from "../../loader/unfinished-load.js";
import type { ListedWorkflow, WorkflowShelf } from "./workflow-shelf.js";

/** A file that waits for something while it loads keeps the others from being listed no longer than this. */
const LONGEST_LOAD_MS = 15_000;

/** The workflow files of the workspace. */
export function localWorkflows(cwd: string): WorkflowShelf {
  return {
    async list() {
      const listed: ListedWorkflow[] = [];
      for (const file of findWorkflows(workflowRoot(cwd))) listed.push(await look(file, cwd));
      return listed;
    },
    async inspect(reference, input) {
      const { workflow, path } = await loadWorkflow(resolveWorkflow(reference, cwd), { cwd });
      const name = basename(path, extname(path));
      return { name, path: relative(cwd, path), ...(await inspectWorkflow(workflow, { input })) };
    },
  };
}

async function look({ name, path }: WorkflowFile, cwd: string): Promise<ListedWorkflow> {
  const place = { name, path: relative(cwd, path) };
  try {
    checkTrustedCode(path);
    const { workflow } = await withinTime(loadWorkflow(path, { cwd }), place.path);
    const { workflowName, readableName, description } = await inspectWorkflow(workflow);
    return { ...place, workflowName, readableName, description, problem: null };
  } catch (error) {
    const unknown = { workflowName: null, readableName: null, description: null };
    return { ...place, ...unknown, problem: serializeError(error) };
  }
}

async function withinTime<T>(loading: Promise<T>, file: string): Promise<T> {
  const stop = new AbortController();
  const late = sleep(LONGEST_LOAD_MS, undefined, { signal: stop.signal }).then(() => {
    throw stillLoading(file, LONGEST_LOAD_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    late.catch(() => {});
    stop.abort();
  }
}
