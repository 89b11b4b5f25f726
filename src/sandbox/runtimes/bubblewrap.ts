import { ServiceError } from "../../errors/service-error.js";
import type { SandboxProvider, SandboxRequest, SandboxResult } from "../../model/sandbox-provider.js";
import { OWN_PROCESSES } from "../../process/isolation/bubblewrap.js";
import { type Isolation, innerShell } from "../../process/isolation/isolation.js";
import { commandFilter } from "../../process/isolation/seccomp.js";
import { hostExecutables, type TrustedExecutables } from "../../process/trusted-executable.js";
import { runCommand } from "../../tools/process/run-command.js";
import { EGRESS_INSIDE } from "../egress/open-egress.js";
import { PORTS_INSIDE } from "../ports/inside-ports.js";
import { sandboxMounts } from "./bubblewrap-mounts.js";
import { onProcessors } from "./cpu-limit.js";
import { scratchBytes } from "./scratch-limit.js";
import {
  insideProgram,
  insideRequestOf,
  MOST_PROCESSES,
  type Openings,
  RESULT_INSIDE,
  resultLeftInside,
  SANDBOX_VARIABLE,
  withOpenings,
} from "./inside-process.js";

/** The child workflow in a process of its own, in namespaces of its own; what there is besides the workspace is read-only. */
export class BubblewrapRuntime implements SandboxProvider {
  readonly id = "bubblewrap";
  readonly #executables: TrustedExecutables;

  constructor(executables: TrustedExecutables = hostExecutables) {
    this.#executables = executables;
  }

  async run(request: SandboxRequest): Promise<SandboxResult> {
    const bwrap = this.#executables.find("bwrap");
    if (process.platform !== "linux" || bwrap === undefined) throw notInstalled();
    const pinned = onProcessors(request.cpuLimit, this.#executables);
    return withOpenings(request, { hasOwnLoopback: false }, (openings) =>
      runInside(request, { bwrap, pinned, ...openings }),
    );
  }
}

interface Setting extends Openings {
  readonly bwrap: string;
  /** Goes before it on the command line. */
  readonly pinned: readonly string[];
}

async function runInside(request: SandboxRequest, setting: Setting): Promise<SandboxResult> {
  const { secrets, egress } = setting;
  const given = { ...request.env, ...egress?.env };
  const inside = insideRequestOf(request, setting, { ...given, ...secrets.values });
  const { token } = inside;
  const ended = await runCommand({
    argv: [process.execPath, ...insideProgram()],
    isolation: isolation(request, setting),
    cwd: "/",
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: "/tmp",
      LANG: "C.UTF-8",
      ...ofNode(given),
      [SANDBOX_VARIABLE]: "1",
    },
    signal: request.signal,
    maxOutputBytes: request.maxOutputBytes,
    input: JSON.stringify(inside),
    onOutput: (chunk) => {
      if (chunk.includes(token)) request.heartbeat();
    },
  });
  request.signal.throwIfAborted();
  if (!ended.began) throw refused(secrets.redacted(ended.output));
  return resultLeftInside(request, ended, { token, secrets });
}

/**
 * Of the variables that a sandbox is given those that Node reads as it starts. Others would act on the programs of the host that
 * set the isolation up: their loader takes libraries by variables, and their shell functions.
 */
function ofNode(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith("NODE_")));
}

function isolation(request: SandboxRequest, { bwrap, pinned, egress, ports }: Setting): Isolation {
  const { rootDir, allowNetwork: network, modules, workspacePath, resultBundlePath, memoryBytes } = request;
  const filter = commandFilter(process.arch, { isPinned: pinned.length > 0 });
  const places = {
    ...{ workspace: workspacePath, rootDir, result: resultBundlePath, resultInside: RESULT_INSIDE },
    scratchBytes: scratchBytes(bwrap, memoryBytes),
  };
  const own = [...request.volumes];
  if (egress !== undefined) own.push({ host: egress.folder, container: EGRESS_INSIDE, readonly: true });
  if (ports !== undefined) own.push({ host: ports.folder, container: PORTS_INSIDE, readonly: true });
  const limits = { maxMemoryBytes: memoryBytes, maxProcesses: MOST_PROCESSES };
  const argv = [
    ...pinned,
    bwrap,
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...sandboxMounts({ ...places, modules, volumes: own, cwd: process.cwd(), network }),
    ...["--chdir", rootDir],
    ...(filter === undefined ? [] : ["--seccomp", "5"]),
    "--",
    ...innerShell({ network, root: rootDir, cwd: rootDir, env: {}, hidden: [], frozen: [], ...limits }),
  ];
  return {
    tool: "bwrap",
    argv,
    maxProcesses: MOST_PROCESSES + OWN_PROCESSES,
    ...(filter !== undefined && { filter }),
  };
}

function notInstalled(): ServiceError {
  const what =
    process.platform === "linux" ? "bubblewrap (`bwrap`, of root's own, in a system folder)" : "Linux";
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The runtime "bubblewrap" needs ${what}, which is not here: install it (Debian, Ubuntu, Fedora: the package \`bubblewrap\`), or name another provider. Nothing ran.`,
    { retryable: false },
  );
}

function refused(output: string): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `This host does not let bubblewrap set the sandbox up (${output.trim().slice(0, 500) || "no reason given"}). Nothing ran: permit user namespaces, or name another provider.`,
    { retryable: false },
  );
}
