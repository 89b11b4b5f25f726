import { ServiceError } from "../../../errors/service-error.js";
import type { RunAuthContext } from "../../../model/run-auth.js";
import { type HostedRun, takenByOther } from "../../../operations/index.js";
import { shorten } from "../../../util/bounded-text.js";
import { sha256Hex } from "../../../util/hash.js";
import { stableJson } from "../../../util/stable-json.js";
import type { GatewayParts } from "../gateway-parts.js";
import { fileOf } from "../registered-workflow.js";

export interface LaunchRequest {
  /** Of a registered workflow. */
  key: string;
  /** @default {} */
  input?: Record<string, unknown>;
  /** @default a random one */
  runId?: string;
  /** The same key of the same caller with equal params is the same run, for as long as that is kept. */
  idempotencyKey?: string;
  maxConcurrency?: number;
  /** Of tasks that name none. @default none */
  queue?: string;
  annotations?: Record<string, string | number | boolean>;
  /** Becomes `ctx.auth`. */
  auth: RunAuthContext | null;
}

/**
 * Starts a run of a registered workflow; resolves once its first commit is made.
 * @throws WORKFLOW_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, INVALID_INPUT for the id of a run of another workflow, as HostedRuns.start
 */
export async function launch(parts: GatewayParts, request: LaunchRequest): Promise<HostedRun> {
  const { workspace, options } = parts;
  const { key, input = {}, maxConcurrency, queue, annotations, idempotencyKey, auth } = request;
  const { workflow } = workspace.startable(key);
  const paramsHash = sha256Hex(stableJson({ key, input, maxConcurrency, queue, annotations }));
  const once =
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, runId: runIdOf(idempotencyKey, auth) };
  const runId = once?.runId ?? request.runId;
  const workflowPath = fileOf(workflow);
  // Its key may have been used for a workflow of another database.
  if (once !== undefined) await refuseOther(parts, once, paramsHash);
  else if (runId !== undefined) await refuseTaken(parts, runId, key);
  try {
    return await workspace.hosted.start(workflow, {
      input,
      auth,
      rootDir: workspace.root,
      launch: { key, ...(once !== undefined && { paramsHash }) },
      ...(runId !== undefined && { runId }),
      ...(workflowPath !== undefined && { workflowPath }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      ...(queue !== undefined && { queue }),
      ...(annotations !== undefined && { annotations }),
      ...(options.cliAgentTools !== undefined && { cliAgentToolsDefault: options.cliAgentTools }),
    });
  } catch (error) {
    // Another call may have used it since.
    if (once !== undefined) await refuseOther(parts, once, paramsHash);
    throw error;
  }
}

/**
 * A run is found by its key in every database, also after a restart. Callers that are known have keys
 * of their own: no caller gets the run of another user, or learns of it.
 */
function runIdOf(idempotencyKey: string, auth: RunAuthContext | null): string {
  const owned = auth === null ? idempotencyKey : stableJson([auth.triggeredBy, idempotencyKey]);
  return `once-${sha256Hex(owned).slice(0, 32)}`;
}

/** @throws IDEMPOTENCY_KEY_REUSED */
async function refuseOther(
  { workspace }: GatewayParts,
  { key, runId }: { key: string; runId: string },
  paramsHash: string,
): Promise<void> {
  const known = await workspace.lookUp(runId);
  if (known === undefined || known.run.config.launch?.paramsHash === paramsHash) return;
  throw new ServiceError(
    "IDEMPOTENCY_KEY_REUSED",
    `The idempotency key ${JSON.stringify(shorten(key, 80))} belongs to run ${runId}, which was started with other params.`,
    { details: { runId } },
  );
}

/** Runs of all databases are found by their ids alone. @throws INVALID_INPUT */
async function refuseTaken({ workspace }: GatewayParts, runId: string, key: string): Promise<void> {
  const known = await workspace.lookUp(runId);
  if (known === undefined || known.registered?.key === key) return;
  // For a run that is not known to be another workflow's, the start itself decides.
  const mayBeOwn =
    known.registered === undefined && workspace.workflowsOf(known.db.store).some((each) => each.key === key);
  if (!mayBeOwn) throw takenByOther(known.run);
}
