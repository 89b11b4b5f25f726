import { ServiceError } from "../../errors/service-error.js";

/** Options about the code of this machine. */
export interface OwnCodeOptions {
  gateway?: unknown;
  up?: boolean;
  acceptWorkflowChange?: boolean;
}

/** A gateway has code of its own, and continues with a run by itself. @throws CLI_USAGE */
export function refuseOwnCodeAtGateway({ gateway, up, acceptWorkflowChange }: OwnCodeOptions): void {
  if (gateway === undefined) return;
  if (up === true) {
    throw new ServiceError(
      "CLI_USAGE",
      "--up cannot go with a gateway: it continues with the run by itself.",
    );
  }
  if (acceptWorkflowChange === true) {
    throw new ServiceError(
      "CLI_USAGE",
      "--accept-workflow-change cannot go with a gateway, which has its own code.",
    );
  }
}
