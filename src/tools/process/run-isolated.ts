import { ServiceError } from "../../errors/service-error.js";
import { isolations } from "./isolation.js";
import { type CommandRequest, type CommandResult, runCommand } from "./run-command.js";

/**
 * Runs a command where it has no network but its own loopback interface.
 *
 * Each way of isolation is tried for real: one that cannot be set up ends before
 * the command has begun, so the next one may follow, and nothing ever runs open.
 * @throws ServiceError TOOL_NETWORK_DISABLED when the host offers no way
 */
export async function runIsolated(
  request: CommandRequest,
  candidates = isolations(),
): Promise<CommandResult> {
  const refusals: string[] = [];
  for (const isolation of candidates) {
    const result = await runCommand({ ...request, isolation });
    if (result.began || request.signal.aborted) return result;
    refusals.push(`${isolation.tool}: ${result.output.trim().slice(0, 300) || "no reason given"}`);
  }
  throw new ServiceError(
    "TOOL_NETWORK_DISABLED",
    `This host cannot run a command without the network (${refusals.join("; ") || "no tool for it is installed"}).`,
    { details: { refusals } },
  );
}
