import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxRequest, SandboxResult } from "../../model/sandbox-provider.js";
import { packageFolder } from "../../process/installation.js";
import type { CommandResult } from "../../tools/process/run-command.js";
import { newId } from "../../util/ids.js";
import { MOST_MANIFEST_BYTES } from "../bundles/limits.js";
import { type OpenEgress, openEgress } from "../egress/open-egress.js";
import { BoundSecrets } from "../egress/secrets.js";
import { type OpenPorts, openPorts } from "../ports/open-ports.js";
import { type InsideRequest, insideResult } from "./inside-request.js";

/** Where the result folder stands inside. */
export const RESULT_INSIDE = "/run/treadle-result";
const RESULT_NAME = "result.json";
/** Says to the process inside, and all that it starts, where it is. */
export const SANDBOX_VARIABLE = "TREADLE_SANDBOX";
/** Of one sandbox, at once. */
export const MOST_PROCESSES = 1_024;
/** Bytes of its output that an error shows. */
const SHOWN_OUTPUT = 4_096;

/** What a runtime of this machine has opened for one sandbox. */
export interface Openings {
  readonly secrets: BoundSecrets;
  readonly egress: OpenEgress | undefined;
  readonly ports: OpenPorts | undefined;
}

/** Opens ways out and ports while the work is done. @param hasOwnLoopback 127.0.0.1 is not this machine's inside */
export async function withOpenings<T>(
  request: SandboxRequest,
  { hasOwnLoopback }: { hasOwnLoopback: boolean },
  work: (openings: Openings) => Promise<T>,
): Promise<T> {
  const secrets = new BoundSecrets(request.egress?.secretBindings);
  const beside = (name: string) => join(dirname(request.resultBundlePath), name);
  const { rootDir } = request;
  const allowNetwork = request.allowNetwork && !hasOwnLoopback;
  const egress =
    request.egress && (await openEgress(request.egress, { rootDir, allowNetwork, folder: beside("egress") }));
  try {
    const ports = request.ports && (await openPorts(request.ports, beside("ports")));
    try {
      return await work({ secrets, egress, ports });
    } finally {
      await ports?.close();
    }
  } finally {
    await egress?.close();
  }
}

/** The program of the process inside, for Node. */
export function insideProgram(): string[] {
  return ["--enable-source-maps", join(packageFolder(), "dist/src/hosts/sandbox-main.js")];
}

/** What the process inside reads. @param env variables that it gets by no other way */
export function insideRequestOf(
  request: SandboxRequest,
  { egress }: Openings,
  env: Readonly<Record<string, string>> = {},
): InsideRequest {
  const { rootDir, runId, input, config, maxOutputBytes, toolTimeoutMs } = request;
  return {
    work: workOf(request),
    env,
    ...{ cwd: process.cwd(), rootDir, runId, maxOutputBytes, toolTimeoutMs },
    ...{ input: { ...input }, config: { ...config } },
    proxies: [...(egress?.proxies ?? [])],
    ports: [...(request.ports ?? [])],
    resultFile: `${RESULT_INSIDE}/${RESULT_NAME}`,
    token: `sign-of-life-${newId()}`,
  };
}

/**
 * What the process inside has left.
 * @throws SANDBOX_EXECUTION_FAILED with what it has printed, when it has left nothing
 */
export async function resultLeftInside(
  { sandboxId, resultBundlePath }: SandboxRequest,
  { output, exitCode, killedBy }: CommandResult,
  { token, secrets, hint = "" }: { token: string; secrets: BoundSecrets; hint?: string },
): Promise<SandboxResult> {
  const result = await readResult(join(resultBundlePath, RESULT_NAME));
  if (result !== undefined) return result;
  const shown = secrets.redacted(output).replaceAll(token, "").trim().slice(-SHOWN_OUTPUT);
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The process inside sandbox ${sandboxId} ended without a result (${killedBy ?? `exit code ${exitCode}`})${hint}${shown === "" ? "." : `. It printed:\n${shown}\n`}`,
    { details: { sandboxId, exitCode, killedBy } },
  );
}

/** A workflow value is found again by the text of its build function, which is the same wherever the same file is compiled. */
function workOf({ workflow, command, parentWorkflow, rootDir }: SandboxRequest): InsideRequest["work"] {
  if (command !== undefined) return { command: [...command] };
  if (typeof workflow === "string") return { file: resolve(rootDir, workflow) };
  if (parentWorkflow !== undefined && workflow !== undefined)
    return { file: parentWorkflow, buildHash: buildHash(workflow) };
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    "The process inside a sandbox loads the child workflow from a file, and this run's workflow was not loaded from one: give `workflow` the path of the child's file.",
    { retryable: false },
  );
}

export function buildHash({ build }: { readonly build: unknown }): string {
  return createHash("sha256").update(String(build)).digest("hex");
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
