import {
  engineWorkflow,
  newRunSnapshot,
  openRun,
  type PendingSession,
  render,
  toStoredRow,
} from "../engine/index.js";
import { toFrameSnapshot } from "../graph/frame-delta.js";
import type { FrameSnapshot } from "../graph/frame-snapshot.js";
import type { GraphSnapshot } from "../model/graph.js";
import type { PlanNode } from "../model/plan.js";
import type { RunConfig } from "../model/run-config.js";
import type { OutputRow } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { drawn } from "../renderer/frame-waits.js";
import { ServiceDb } from "../store/index.js";
import { ServiceError } from "../errors/service-error.js";
import * as rules from "../options/option-rules.js";
import { checkOptions, defaultsOf, refuseOption } from "../options/check-options.js";
import { engineServices } from "./request/target.js";

/** The run that a preview makes believe. */
export interface RenderFrameOptions {
  /** Not validated against required fields: a preview may do without. @default {} */
  input?: Record<string, unknown>;
  /** `ctx.runId` in the frame. @default "preview" */
  runId?: string;
  /** Rows that the frame shall see: schema key to rows with `nodeId` and optional `iteration`. */
  outputs?: Record<string, Record<string, unknown>[]>;
}

const RULES = {
  input: rules.withDefault(rules.record, {}),
  runId: rules.withDefault(rules.name, "preview"),
  outputs: rules.record,
} satisfies rules.OptionRules<RenderFrameOptions>;

type CheckedFrameOptions = rules.Checked<RenderFrameOptions, typeof RULES>;

interface SeenRow {
  outputKey: string;
  row: OutputRow;
}

/**
 * Renders one frame without running or storing anything; the database is not opened.
 * @throws what rendering throws: DUPLICATE_ID, TASK_ID_REQUIRED, UNKNOWN_OUTPUT_SCHEMA …
 */
export async function renderFrame(
  workflow: ServiceWorkflow,
  options: RenderFrameOptions = {},
): Promise<GraphSnapshot> {
  const { snapshot } = await renderPreview(workflow, options);
  return snapshot;
}

/** As renderFrame, as a stored frame of a run would show it. JSON. @throws as renderFrame */
export async function previewFrame(
  workflow: ServiceWorkflow,
  options: RenderFrameOptions = {},
): Promise<{ frameNo: number } & FrameSnapshot> {
  const { shown } = await renderPreview(workflow, options);
  return { frameNo: 0, ...shown };
}

/**
 * As renderFrame, with the control structure for exports.
 * @param config of the run that is looked at
 */
export async function renderPreview(
  workflow: ServiceWorkflow,
  options: RenderFrameOptions = {},
  config?: RunConfig,
): Promise<{ snapshot: GraphSnapshot; plan: PlanNode; workflowName: string; shown: FrameSnapshot }> {
  if (typeof workflow !== "object" || workflow === null) {
    refuseOption("workflow", "a workflow, as service(build) returns it", workflow);
  }
  const given = checkOptions("renderFrame", options, RULES);
  const session = openPreview(workflow, given, { config, outputs: await seenRows(workflow, given) });
  try {
    const frame = await drawn(() => render(session.view));
    const { runId } = session;
    return {
      snapshot: { runId, frameNo: 0, xml: frame.xml, tasks: frame.tasks },
      plan: frame.plan,
      workflowName: frame.workflowName,
      shown: toFrameSnapshot(frame),
    };
  } finally {
    closePreview(session);
  }
}

/** The name on `<Workflow>`, at once. @throws as renderFrame; FrameWaits while a component is being loaded */
export function previewName(workflow: ServiceWorkflow): string {
  const session = openPreview(workflow, defaultsOf(RULES), { outputs: [] });
  try {
    return render(session.view).workflowName;
  } finally {
    closePreview(session);
  }
}

/** @throws INVALID_INPUT, INVALID_OUTPUT, UNKNOWN_OUTPUT_SCHEMA */
async function seenRows(
  workflow: ServiceWorkflow,
  { runId, outputs: given = {} }: CheckedFrameOptions,
): Promise<SeenRow[]> {
  const { store } = new ServiceDb(workflow.db);
  const outputs: SeenRow[] = [];
  for (const [outputKey, rows] of Object.entries(given)) {
    const { schema } = store.codec(outputKey);
    for (const value of rows) {
      if (typeof value.nodeId !== "string") {
        throw new ServiceError("INVALID_INPUT", `A row of outputs.${outputKey} has no nodeId.`);
      }
      const iteration = typeof value.iteration === "number" ? value.iteration : 0;
      const task = { nodeId: value.nodeId, iteration, outputKey, outputSchema: schema };
      outputs.push({ outputKey, row: (await toStoredRow(store, task, { value, runId })).row });
    }
  }
  return outputs;
}

function openPreview(
  workflow: ServiceWorkflow,
  { runId, input }: CheckedFrameOptions,
  {
    config = { maxConcurrency: 1, requireRerenderOnOutputChange: true },
    outputs,
  }: { config?: RunConfig | undefined; outputs: SeenRow[] },
): PendingSession {
  const { store } = new ServiceDb(workflow.db);
  const services = engineServices(store);
  const runSnapshot = newRunSnapshot(
    {
      runId,
      parentRunId: null,
      workflowPath: null,
      input,
      config,
      nowMs: services.clock.now(),
    },
    { nodes: [], outputs },
  );
  return openRun(services, runSnapshot, {
    workflow: engineWorkflow(workflow, store),
    followContinuation: false,
  });
}

function closePreview({ view, mailbox }: PendingSession): void {
  view.frames.dispose();
  mailbox.close();
}
