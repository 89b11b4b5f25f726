/*
 * The process inside a sandbox: loads the child workflow from its file, runs it in a database of its own in memory, or runs a
 * program in its place, and leaves the result in a file. It is given its request as JSON and knows nothing else of the run around it.
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { isRetryable, serializeError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { loadWorkflow } from "../loader/load-workflow.js";
import { rememberWorkflows } from "../model/made-workflows.js";
import { isWaiting, type RunResult } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { runWorkflow, stayAwake } from "../operations/index.js";
import { openProxies } from "../sandbox/egress/inside-proxies.js";
import { offerPorts } from "../sandbox/ports/inside-ports.js";
import { runInsideCommand } from "../sandbox/runtimes/inside-command.js";
import { type InsideRequest, insideRequest } from "../sandbox/runtimes/inside-request.js";
import { twinDb } from "../store/index.js";

const request = insideRequest().parse(JSON.parse(readFileSync(0, "utf8")));
Object.assign(process.env, request.env);
// What the workflow prints is for people; lines of signs of life are this program's.
Object.defineProperty(process, "stdout", { value: process.stderr });
await openProxies(request.proxies);
offerPorts(request.ports);
const result = await outcome(request);
writeFileSync(request.resultFile, JSON.stringify(result), { flag: "wx" });
process.exit(0);

async function outcome(asked: InsideRequest): Promise<object> {
  const { work, rootDir, input } = asked;
  if ("command" in work) {
    const command = { cwd: rootDir, input: JSON.stringify(input), onAlive: () => giveSign(asked) };
    return runInsideCommand(work.command, command);
  }
  try {
    const { status, output, error, runId } = await drive(await childWorkflow(work, asked), asked);
    if (isWaiting(status)) {
      const what = `The run inside is ${status}, and no one can reach it there: put what people decide or send before or after the sandbox.`;
      return { status: "failed", runId, error: what, retryable: false };
    }
    const known = status === "finished" || status === "cancelled" ? status : "failed";
    const why = error !== undefined && { error: error.message, retryable: isRetryable(error) };
    return { status: known, output, runId, ...why };
  } catch (thrown) {
    const error = serializeError(thrown);
    return { status: "failed", error: error.message, retryable: isRetryable(error) };
  }
}

/** The default export of the file or, by the hash of its build function, one that was made while the file was loaded. */
async function childWorkflow(
  { file, buildHash }: { file: string; buildHash?: string | undefined },
  { cwd }: InsideRequest,
): Promise<ServiceWorkflow> {
  const made = rememberWorkflows();
  const { workflow } = await loadWorkflow(file, { cwd });
  if (buildHash === undefined) return workflow;
  const hashOf = ({ build }: Pick<ServiceWorkflow, "build">) =>
    createHash("sha256").update(String(build)).digest("hex");
  const found = (made as readonly ServiceWorkflow[]).filter((each) => hashOf(each) === buildHash);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    found.length === 0
      ? `Loading ${file} makes no workflow like the one that \`workflow\` is: the code has changed since the run loaded it, or it was made elsewhere. Give \`workflow\` the path of its file.`
      : `Loading ${file} makes ${found.length} workflows of the same build function. Give \`workflow\` the path of a file whose default export is the one that is meant.`,
    { retryable: false },
  );
}

async function drive(workflow: ServiceWorkflow, asked: InsideRequest): Promise<RunResult> {
  const { db } = twinDb(workflow.db ?? {}, ":memory:");
  const own = { ...workflow, db };
  const { runId, input, rootDir, config, maxOutputBytes, toolTimeoutMs } = asked;
  const onProgress = () => giveSign(asked);
  const first = await runWorkflow(own, {
    // The sandbox is the isolation: what tools start in it needs none of its own, and the network is as the sandbox has it.
    ...{ toolIsolation: "none", allowNetwork: true },
    ...{ runId, input, rootDir, config, maxOutputBytes, toolTimeoutMs, onProgress },
  });
  const { signal } = new AbortController();
  const resume = (id: string) => runWorkflow(own, { runId: id, resume: true, onProgress });
  return stayAwake(own, first, { wait: false, signal, resume });
}

function giveSign({ token }: InsideRequest): void {
  writeSync(1, `${token}\n`);
}
