import { z } from "zod";
import { ServiceError } from "../../../errors/service-error.js";
import { OPEN_STATUSES } from "../../../model/run.js";
import { listRuns, pageApprovals, type RunView } from "../../../operations/index.js";
import type { ApprovalRow } from "../../../model/approval.js";
import { type Caller, hasScope } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";

export const connectParams = z.strictObject({
  minProtocol: z.number().int(),
  maxProtocol: z.number().int(),
  client: z.strictObject({ id: z.string().min(1).max(128), version: z.string().min(1).max(128) }),
  auth: z.strictObject({ token: z.string().min(1) }).optional(),
});

export type ConnectParams = z.infer<typeof connectParams>;

/** @throws PROTOCOL_MISMATCH */
export function refuseProtocol({ protocol }: GatewayParts["options"], params: ConnectParams): void {
  const { minProtocol, maxProtocol } = params;
  if (minProtocol <= protocol && protocol <= maxProtocol) return;
  throw new ServiceError(
    "PROTOCOL_MISMATCH",
    `The gateway speaks protocol ${protocol}, the client ${minProtocol} to ${maxProtocol}.`,
    { details: { protocol } },
  );
}

/** Runs and approvals of the snapshot, each. */
const MOST_SHOWN = 50;

const ACTIVE = OPEN_STATUSES;

/** The answer to `connect`. */
export async function hello(parts: GatewayParts, caller: Caller): Promise<Record<string, unknown>> {
  const { protocol, features, heartbeatMs, maxPayload } = parts.options;
  const { role, scopes, userId } = caller;
  return {
    protocol,
    features,
    policy: { heartbeatMs, maxPayload },
    auth: { role, scopes, userId },
    snapshot: hasScope(caller, "run:read") ? await snapshot(parts) : { runs: [], approvals: [] },
  };
}

/** The newest runs that have not ended, and the oldest approvals that wait. */
async function snapshot({ workspace }: GatewayParts): Promise<{ runs: RunView[]; approvals: ApprovalRow[] }> {
  const databases = workspace.databases();
  const pages = await Promise.all(
    databases.map((db) => listRuns(db, { statuses: ACTIVE, limit: MOST_SHOWN })),
  );
  const asked = await Promise.all(databases.map((db) => pageApprovals(db, { limit: MOST_SHOWN })));
  const runs = pages.flatMap((page) => page.runs).sort((a, b) => b.createdAtMs - a.createdAtMs);
  const approvals = asked.flatMap((page) => page.approvals).sort((a, b) => a.requestedAtMs - b.requestedAtMs);
  return { runs: runs.slice(0, MOST_SHOWN), approvals: approvals.slice(0, MOST_SHOWN) };
}
