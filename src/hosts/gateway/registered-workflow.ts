import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { previewName, type RunView } from "../../operations/index.js";
import { FrameWaits } from "../../renderer/frame-waits.js";
import type { ServiceDb } from "../../store/index.js";
import type { CheckedRegistration } from "./check-registration.js";

/** A workflow that a gateway has under a key. */
export interface Registered {
  key: string;
  workflow: ServiceWorkflow;
  db: ServiceDb;
  options: CheckedRegistration;
}

export type RunMark = Pick<RunView, "workflowKey" | "workflowPath" | "workflowName">;

export function markOf({ config, workflowPath, workflowName }: RunRow): RunMark {
  return { workflowKey: config.launch?.key ?? null, workflowPath, workflowName };
}

/**
 * Which of the workflows of its database a run belongs to: the one that a gateway started it of, else the one
 * of its file, else the only one with its name.
 */
export function workflowOf(run: RunMark, registered: readonly Registered[]): Registered | undefined {
  if (run.workflowKey !== null) return registered.find(({ key }) => key === run.workflowKey);
  const ofFile = registered.find(
    ({ workflow }) => run.workflowPath !== null && fileOf(workflow) === run.workflowPath,
  );
  if (ofFile !== undefined) return ofFile;
  const named = registered.filter(({ workflow }) => nameOf(workflow) === run.workflowName);
  return named.length === 1 ? named[0] : undefined;
}

/** The file that a workflow was loaded from; undefined for one that a program has made. */
export function fileOf(workflow: ServiceWorkflow): string | undefined {
  return workflow.opts.workflowModules?.[0];
}

const names = new WeakMap<ServiceWorkflow, string | null>();

/** The name on `<Workflow>`; null when it depends on the input. */
export function nameOf(workflow: ServiceWorkflow): string | null {
  const known = names.get(workflow);
  if (known !== undefined) return known;
  let name: string | null = null;
  try {
    name = previewName(workflow);
  } catch (error) {
    if (error instanceof FrameWaits) return null;
    // It reads an input that a preview does not have.
  }
  names.set(workflow, name);
  return name;
}
