import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";
import type { BuiltinDefinition } from "../agent-tool.js";
import { confinedPlaces, openTarget } from "../files/open-target.js";
import { insidePath, openSandboxRoot, pathInvalid } from "../files/sandbox-path.js";
import { childEnvironment } from "../process/child-environment.js";
import { findGitRemoteCommand, gitRemoteCommand } from "../process/git-remote.js";
import { isolationsFor } from "../../process/isolation/ways.js";
import { hostExecutables } from "../../process/trusted-executable.js";
import { runIsolated } from "../process/run-isolated.js";
import { type CommandRequest, type CommandResult, runCommand } from "../process/run-command.js";
import type { ToolCall } from "../tool-call.js";
import type { ToolContext } from "../tool-context.js";
import { once } from "../../util/once.js";

const inputSchema = once(() =>
  z
    .strictObject({
      cmd: z.string().min(1).max(100_000).describe("Shell command line; with args, the program to run."),
      args: z
        .array(z.string().max(100_000))
        .max(1_024)
        .optional()
        .describe("Arguments of the program. When given, no shell looks at them."),
      opts: z
        .strictObject({
          cwd: z.string().optional().describe("Folder to run in, relative to the root folder."),
        })
        .optional(),
    })
    .refine(({ cmd, args }) => args === undefined || !cmd.startsWith("-"), {
      path: ["cmd"],
      message: "must be the name or path of a program, not an option, when args are given",
    }),
);

/** `cmd` is a shell line, or with `args` a program; `opts.cwd` is relative to the root folder. */
export type BashInput = z.infer<ReturnType<typeof inputSchema>>;

/** The end of a failed command's output that goes into the error's message, in characters. */
const SHOWN_OUTPUT = 8_000;

export const bashDefinition: BuiltinDefinition<BashInput> = {
  name: "bash",
  description:
    "Runs a command and returns what it prints. Processes it leaves in the background end with the call. " +
    "The network may be cut off.",
  inputSchema,
  sideEffect: true,
  idempotent: false,
  async run(input, call) {
    const { context } = call;
    refuseGitRemotes(input, context.allowNetwork);
    const request: CommandRequest = {
      argv: commandOf(input),
      cwd: await workingFolder(context, input.opts?.cwd ?? "."),
      env: childEnvironment(context.env, context.allowNetwork),
      signal: call.signal,
      // A little more than may be shown, so that capping sees that something is missing.
      maxOutputBytes: context.maxOutputBytes + 4,
    };
    const result = await perform(request, context);
    const output = call.cap(result.output);
    if (call.signal.aborted) throw stopped(input, call, output);
    if (result.exitCode !== 0) throw failed(input, result, { output, network: context.allowNetwork });
    return output;
  },
};

function commandOf({ cmd, args }: BashInput): string[] {
  if (args !== undefined) return [cmd, ...args];
  return [hostExecutables.find("bash") ?? "/bin/sh", "-c", cmd];
}

async function perform(request: CommandRequest, context: ToolContext): Promise<CommandResult> {
  const { allowNetwork: network, maxMemoryBytes, maxProcesses } = context;
  if (context.toolIsolation === "none") return runCommand(request);
  const { realPath: root } = await openSandboxRoot(context.rootDir);
  const { hidden, frozen } = confinedPlaces(context);
  const { cwd, env } = request;
  const ways = isolationsFor({ network, root, cwd, env, hidden, frozen, maxMemoryBytes, maxProcesses });
  return runIsolated({ ...request, network }, ways);
}

async function workingFolder(context: ToolContext, path: string): Promise<string> {
  const target = await openTarget(context, path, "read");
  const folder = join(target.root.realPath, insidePath(target));
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw pathInvalid(path, "is not a folder to run in");
  return folder;
}

function refuseGitRemotes({ cmd, args }: BashInput, allowNetwork: boolean): void {
  if (allowNetwork) return;
  const remote = args === undefined ? findGitRemoteCommand(cmd) : gitRemoteCommand([cmd, ...args]);
  if (remote === undefined) return;
  throw new ServiceError("TOOL_GIT_REMOTE_DISABLED", `\`${remote}\` talks to a remote.`, {
    details: { command: remote },
  });
}

function stopped(input: BashInput, call: ToolCall, output: string): ServiceError {
  const { reason } = call.signal;
  const timedOut = ServiceError.is(reason, "TOOL_TIMEOUT");
  const summary = timedOut
    ? `The command ${shown(input)} ran longer than ${call.context.toolTimeoutMs} ms and was killed.`
    : `The command ${shown(input)} was killed because the call was stopped.`;
  return new ServiceError(timedOut ? "PROCESS_TIMEOUT" : "PROCESS_ABORTED", withOutput(summary, output), {
    details: {
      cmd: input.cmd,
      args: input.args ?? [],
      output,
      ...(timedOut && { timeoutMs: call.context.toolTimeoutMs }),
    },
    cause: reason,
  });
}

function failed(
  input: BashInput,
  { exitCode, killedBy }: CommandResult,
  facts: { output: string; network: boolean },
): ServiceError {
  const { output, network } = facts;
  const details = { cmd: input.cmd, args: input.args ?? [], exitCode, killedBy, output };
  const end = exitCode === null ? `was ended by ${killedBy}` : `ended with exit code ${exitCode}`;
  if (!network && /^fatal: transport '.*' not allowed$/m.test(output)) {
    const summary = withOutput(`The command ${shown(input)} made git talk to a remote.`, output);
    return new ServiceError("TOOL_GIT_REMOTE_DISABLED", summary, { details });
  }
  const summary = `The command ${shown(input)} ${end}${network ? "" : "; it had no network"}.`;
  return new ServiceError("TOOL_COMMAND_FAILED", withOutput(summary, output), { details });
}

/** Models see the message only, so the end of the output is part of it. */
function withOutput(summary: string, output: string): string {
  if (output === "") return `${summary} It printed nothing.`;
  const tail = output.length > SHOWN_OUTPUT ? `…${output.slice(-SHOWN_OUTPUT)}` : output;
  return `${summary} It printed:\n${tail}\n`;
}

function shown({ cmd, args = [] }: BashInput): string {
  const line = [cmd, ...args].join(" ");
  return `\`${shorten(line, 200)}\``;
}
