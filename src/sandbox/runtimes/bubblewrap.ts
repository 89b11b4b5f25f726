import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { packageFolder } from "../../process/installation.js";
import { OWN_PROCESSES } from "../../process/isolation/bubblewrap.js";
import { type Isolation, innerShell } from "../../process/isolation/isolation.js";
import { commandFilter } from "../../process/isolation/seccomp.js";
import { hostExecutables, type TrustedExecutables } from "../../process/trusted-executable.js";
import { runCommand } from "../../tools/process/run-command.js";
import { newId } from "../../util/ids.js";
import type { SandboxProvider, SandboxRequest, SandboxResult } from "../../model/sandbox-provider.js";
import { MOST_MANIFEST_BYTES } from "../bundles/limits.js";
import { EGRESS_INSIDE, type OpenEgress, openEgress } from "../egress/open-egress.js";
import { BoundSecrets } from "../egress/secrets.js";
import { PORTS_INSIDE } from "../ports/inside-ports.js";
import { type OpenPorts, openPorts } from "../ports/open-ports.js";
import { sandboxMounts } from "./bubblewrap-mounts.js";
import { onProcessors } from "./cpu-limit.js";
import { type InsideRequest, insideResult } from "./inside-request.js";

/** Where the result folder stands inside. */
const RESULT_INSIDE = "/run/treadle-result";
const RESULT_NAME = "result.json";
/** Says to the process inside, and all that it starts, where it is. */
export const SANDBOX_VARIABLE = "TREADLE_SANDBOX";

const MOST_PROCESSES = 1_024;
/** Bytes of its output that an error shows. */
const SHOWN_OUTPUT = 4_096;

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
    const secrets = new BoundSecrets(request.egress?.secretBindings);
    const beside = (name: string) => join(dirname(request.resultBundlePath), name);
    const egress =
      request.egress && (await openEgress(request.egress, { ...request, folder: beside("egress") }));
    try {
      const ports = request.ports && (await openPorts(request.ports, beside("ports")));
      try {
        return await runInside(request, { bwrap, pinned, secrets, egress, ports });
      } finally {
        await ports?.close();
      }
    } finally {
      await egress?.close();
    }
  }
}

interface Setting {
  readonly bwrap: string;
  /** Goes before it on the command line. */
  readonly pinned: readonly string[];
  readonly secrets: BoundSecrets;
  readonly egress: OpenEgress | undefined;
  readonly ports: OpenPorts | undefined;
}

async function runInside(request: SandboxRequest, setting: Setting): Promise<SandboxResult> {
  const { secrets, egress } = setting;
  const token = `sign-of-life-${newId()}`;
  const resultFile = `${RESULT_INSIDE}/${RESULT_NAME}`;
  const inside = {
    ...workflowOf(request),
    ...settingsOf(request),
    proxies: [...(egress?.proxies ?? [])],
    ports: [...(request.ports ?? [])],
    resultFile,
    token,
  } satisfies InsideRequest;
  const main = join(packageFolder(), "dist/src/hosts/sandbox-main.js");
  const { began, output, exitCode, killedBy } = await runCommand({
    argv: [process.execPath, "--enable-source-maps", main],
    isolation: isolation(request, setting),
    cwd: "/",
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: "/tmp",
      LANG: "C.UTF-8",
      ...request.env,
      ...egress?.env,
      ...secrets.values,
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
  if (!began) throw refused(secrets.redacted(output));
  const result = await readResult(join(request.resultBundlePath, RESULT_NAME));
  if (result !== undefined) return result;
  const shown = secrets.redacted(output).replaceAll(token, "").trim().slice(-SHOWN_OUTPUT);
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The process inside sandbox ${request.sandboxId} ended without a result (${killedBy ?? `exit code ${exitCode}`})${shown === "" ? "." : `. It printed:\n${shown}\n`}`,
    { details: { sandboxId: request.sandboxId, exitCode, killedBy } },
  );
}

function isolation(request: SandboxRequest, { bwrap, pinned, egress, ports }: Setting): Isolation {
  const { rootDir, allowNetwork: network, modules, workspacePath, resultBundlePath, memoryBytes } = request;
  const filter = commandFilter(process.arch, { isPinned: pinned.length > 0 });
  const places = { workspace: workspacePath, rootDir, result: resultBundlePath, resultInside: RESULT_INSIDE };
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
    ...["--remount-ro", "/", "--chdir", rootDir],
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

/** A workflow value is found again by the text of its build function, which is the same wherever the same file is compiled. */
function workflowOf({
  workflow,
  parentWorkflow,
  rootDir,
}: SandboxRequest): Pick<InsideRequest, "file" | "buildHash"> {
  if (typeof workflow === "string") return { file: resolve(rootDir, workflow) };
  if (parentWorkflow !== undefined) return { file: parentWorkflow, buildHash: buildHash(workflow) };
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    "The process inside a sandbox loads the child workflow from a file, and this run's workflow was not loaded from one: give `workflow` the path of the child's file.",
    { retryable: false },
  );
}

export function buildHash({ build }: { readonly build: unknown }): string {
  return createHash("sha256").update(String(build)).digest("hex");
}

function settingsOf(request: SandboxRequest) {
  const { rootDir, runId, input, config, maxOutputBytes, toolTimeoutMs } = request;
  const data = { input: { ...input }, config: { ...config }, maxOutputBytes, toolTimeoutMs };
  return { cwd: process.cwd(), rootDir, runId, ...data };
}

/** Written inside, so it is read with care: a plain file, of bounded size, of the right form. */
async function readResult(path: string): Promise<SandboxResult | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw invalidResult("is no plain file");
    if (stat.size > MOST_MANIFEST_BYTES) {
      throw new ServiceError(
        "SANDBOX_BUNDLE_TOO_LARGE",
        `The sandbox's result has ${stat.size} bytes; at most ${MOST_MANIFEST_BYTES} are taken.`,
      );
    }
    const parsed = insideResult().safeParse(JSON.parse(await file.readFile("utf8")));
    if (!parsed.success) throw invalidResult(parsed.error.issues[0]?.message ?? "has another form");
    const { status, output, error, retryable, runId } = parsed.data;
    return {
      status,
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
      ...(retryable !== undefined && { retryable }),
      ...(runId !== undefined && { runId }),
    };
  } catch (error) {
    if (ServiceError.is(error)) throw error;
    throw invalidResult("is not JSON");
  } finally {
    await file.close();
  }
}

function invalidResult(why: string): ServiceError {
  return new ServiceError("SANDBOX_BUNDLE_INVALID", `The result of the sandbox ${why}.`);
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
