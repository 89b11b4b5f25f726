import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { renderPreview } from "../../operations/render-frame.js";
import type { ServiceDb } from "../../store/service-db.js";
import type { GatewayRegisterOptions } from "./gateway-options.js";

/** A workflow that a gateway has under a key. */
export interface Registered {
  key: string;
  workflow: ServiceWorkflow;
  db: ServiceDb;
  options: GatewayRegisterOptions;
}

/**
 * Which of the workflows of its database a run belongs to: the one that a gateway started it of, else the one
 * of its file, else the only one with its name.
 */
export function workflowOf(run: RunRow, registered: readonly Registered[]): Registered | undefined {
  const { launch } = run.config;
  if (launch !== undefined) return registered.find(({ key }) => key === launch.key);
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

/** The name on `<Workflow>`; null when it cannot be told without an input. */
function nameOf(workflow: ServiceWorkflow): string | null {
  const known = names.get(workflow);
  if (known !== undefined) return known;
  let name: string | null = null;
  try {
    name = renderPreview(workflow).workflowName;
  } catch {
    // It reads an input that a preview does not have.
  }
  names.set(workflow, name);
  return name;
}
