import type { Authenticator } from "./auth/authenticator.js";
import type { CheckedGatewayOptions } from "./check-gateway-options.js";
import type { Extensions } from "./extensions.js";
import type { Nudge } from "../../util/nudge.js";
import type { AgentChecks } from "./agent-checks.js";
import type { GatewayWorkspace } from "./workspace.js";

/** The parts that the surfaces of one gateway share. */
export interface GatewayParts {
  readonly options: CheckedGatewayOptions;
  readonly authenticator: Authenticator;
  readonly workspace: GatewayWorkspace;
  readonly extensions: Extensions;
  readonly agentChecks: AgentChecks;
  /** Fires when the gateway closes: streams end. */
  readonly signal: AbortSignal;
  /** Schedules are looked at once more, at once. */
  readonly schedulesChanged: Nudge;
  /** Notified of errors that are the gateway's own and no client's. */
  onFailure(error: Error): void;
}
