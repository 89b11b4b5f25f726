import { z } from "zod";
import { ServiceError } from "../errors/service-error.js";
import { serializeError, type SerializedError } from "../errors/ensure-error.js";
import type { FrameSnapshot } from "../graph/frame-snapshot.js";
import type { AlertPolicy } from "../model/alert.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { inputSchemaOf } from "../store/index.js";
import { renderPreview } from "./render-frame.js";

/** Description of a workflow that does not run. JSON. */
export interface WorkflowInspection {
  /** The name on `<Workflow>`; null when the first frame cannot be rendered without another input. */
  workflowName: string | null;
  readableName: string | null;
  description: string | null;
  /** Hash of its code, as runs keep it; null when unknown. */
  fingerprint: string | null;
  /** JSON Schema of the input; null when any will do. */
  input: unknown;
  /** JSON Schema of each output by its key. */
  outputs: Record<string, unknown>;
  limits: NamedLimits;
  /** Without the paths of addresses: an address is the right to post to it. Null without rules. */
  alertPolicy: unknown;
  /** How a run with this input would begin; null when that cannot be rendered. */
  frame: FrameSnapshot | null;
  /** Why there is no frame. Absent when there is one. */
  frameProblem?: SerializedError;
}

/** Schemas, limits, alerts and the first frame of a workflow. @throws INVALID_INPUT */
export async function inspectWorkflow(
  workflow: ServiceWorkflow,
  { input = {} }: { input?: Record<string, unknown> } = {},
): Promise<WorkflowInspection> {
  const { readableName = null, description = null, limits = {}, opts, schemaRegistry } = workflow;
  const inputSchema = inputSchemaOf(workflow.db);
  const outputs = [...(schemaRegistry ?? [])].map(([key, { zodSchema }]) => [key, jsonSchema(zodSchema)]);
  const about = {
    readableName,
    description,
    fingerprint: opts.workflowHash ?? null,
    input: inputSchema === undefined ? null : jsonSchema(inputSchema as unknown as z.core.$ZodType),
    outputs: Object.fromEntries(outputs) as Record<string, unknown>,
    limits,
    alertPolicy: opts.alertPolicy === undefined ? null : withoutAddresses(opts.alertPolicy),
  };
  try {
    const { workflowName, shown } = await renderPreview(workflow, { input });
    return { workflowName, ...about, frame: shown };
  } catch (error) {
    if (ServiceError.is(error, "INVALID_INPUT")) throw error;
    return { workflowName: null, ...about, frame: null, frameProblem: serializeError(error) };
  }
}

function jsonSchema(schema: z.core.$ZodType): unknown {
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
}

/** The address of a webhook is a secret: the one of many services is all that one needs to post there. */
function withoutAddresses(policy: AlertPolicy): unknown {
  const text = JSON.stringify(policy, (key, value: unknown) => {
    if (key !== "destination" || typeof value !== "string" || !URL.canParse(value)) return value;
    const { origin } = new URL(value);
    return origin === "null" ? "…" : `${origin}/…`;
  });
  return JSON.parse(text) as unknown;
}
