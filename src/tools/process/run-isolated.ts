import { ServiceError } from "../../errors/service-error.js";
import type { Isolation } from "../../process/isolation/isolation.js";
import { type CommandRequest, type CommandResult, runCommand } from "./run-command.js";

/**
 * Runs a command confined, in the first of the given ways that this host permits.
 *
 * Each way is tried for real: one that cannot be set up ends before the command has
 * begun, so the next one may follow, and nothing ever runs open.
 * @throws TOOL_NETWORK_DISABLED, TOOL_ISOLATION_UNAVAILABLE when the host offers no way
 */
export async function runIsolated(
  request: CommandRequest & { network: boolean },
  ways: readonly Isolation[],
): Promise<CommandResult> {
  const refusals: string[] = [];
  for (const isolation of ways) {
    const result = await runCommand({ ...request, isolation });
    if (result.began || request.signal.aborted) return result;
    refusals.push(`${isolation.tool}: ${result.output.trim().slice(0, 300) || "no reason given"}`);
  }
  const why = refusals.join("; ") || "no tool for it is installed";
  throw request.network
    ? new ServiceError("TOOL_ISOLATION_UNAVAILABLE", `This host cannot confine a command (${why}).`, {
        details: { refusals },
      })
    : new ServiceError(
        "TOOL_NETWORK_DISABLED",
        `This host cannot run a command without the network (${why}).`,
        { details: { refusals } },
      );
}
