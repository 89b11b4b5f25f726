import type { GatewayClient } from "../../client/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { asked } from "./open-client.js";
import { gatewayRuns } from "./gateway-runs.js";
import type { RunActions } from "./run-actions.js";

/** Actions on the runs of a gateway, which records who took them. */
export function gatewayActions(client: GatewayClient): RunActions {
  const { find, list } = gatewayRuns(client);
  return {
    find,
    list,
    request: (address) => asked(client.findRequest(address)),
    async decide({ by, scopes, ...decision }) {
      refuse("--scope", scopes);
      return asked(client.submitApproval({ ...decision, ...(by !== undefined && { decidedBy: by }) }));
    },
    signal: (request, { dryRun }) => asked(client.submitSignal({ ...request, dryRun })),
    async cancel({ requestedBy, ...request }) {
      refuse("--by", requestedBy);
      return asked(client.cancelRun(request));
    },
    resetTask: (request) => asked(client.retryTask(request)),
    view: (run) => asked(client.findRun({ run: run === "-" ? "latest" : run })),
    resume: ({ signal: _signal, ...request }) => asked(client.resumeRun(request)),
    async isDriven(runId) {
      const { workflowKey, runState } = await asked(client.getRun({ runId }));
      // The gateway continues with the runs of its own workflows.
      return workflowKey !== null || runState === "running";
    },
    resumeRemedy: async (runId) => ({ action: "resume", runId }),
  };
}

function refuse(option: string, value: unknown): void {
  if (value === undefined) return;
  throw new ServiceError(
    "CLI_USAGE",
    `${option} cannot go with a gateway: its credentials say who acts, and what they may do.`,
    { details: { option } },
  );
}
