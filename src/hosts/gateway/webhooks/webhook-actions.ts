import { ensureError } from "../../../errors/ensure-error.js";
import { finishDeliveries, type ReceiveActions, signalRun } from "../../../operations/index.js";
import type { GatewayParts } from "../gateway-parts.js";
import type { Registered } from "../registered-workflow.js";
import { launch } from "../rpc/launch.js";

/** Actions of deliveries at this gateway, by the methods that callers have for the same. */
export function webhookActions(parts: GatewayParts, { key, workflow, db }: Registered): ReceiveActions {
  const { hosted } = parts.workspace;
  const clock = parts.workspace.clockOf(db.store);
  return {
    clock,
    async signal(request, dedupeKey) {
      await signalRun(workflow, request, { clock, dedupeKey });
      hosted.wake(db.store, request.runId);
    },
    async start({ runId, input, auth }) {
      await launch(parts, { key, runId, input, auth });
    },
  };
}

/** Finishes the deliveries that a gateway before this one had only written down. */
export async function finishAllDeliveries(parts: GatewayParts): Promise<void> {
  const onError = (error: unknown) => parts.onFailure(ensureError(error));
  for (const registered of parts.workspace.workflows()) {
    if (registered.options.webhook === undefined) continue;
    const actions = { ...webhookActions(parts, registered), onError };
    await finishDeliveries(registered.db.store, registered.key, actions).catch(onError);
  }
}
