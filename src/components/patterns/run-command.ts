import { ServiceError } from "../../errors/service-error.js";
import { bash } from "../../tools/create-tools.js";

/** The result of a command. */
export interface CommandRow {
  readonly command: string;
  /** Null for a command that was ended by a signal or by the time limit. */
  readonly exitCode: number | null;
  /** Both streams in order, cut to the run's `maxOutputBytes`. */
  readonly output: string;
}

/**
 * Runs a shell line with the built-in `bash` tool, in the folder and with the rules of the task that calls.
 * A command that ends with an error is an answer, too.
 * @throws whatever keeps the tool from running it: no network, a remote of git, no way to confine it
 */
export async function runShellCommand(command: string): Promise<CommandRow> {
  try {
    return { command, exitCode: 0, output: await bash.execute({ cmd: command }) };
  } catch (error) {
    if (!ServiceError.is(error, "TOOL_COMMAND_FAILED") && !ServiceError.is(error, "PROCESS_TIMEOUT"))
      throw error;
    const { exitCode, output } = (error.details ?? {}) as { exitCode?: unknown; output?: unknown };
    return {
      command,
      exitCode: typeof exitCode === "number" ? exitCode : null,
      output: typeof output === "string" && output !== "" ? output : error.summary,
    };
  }
}
