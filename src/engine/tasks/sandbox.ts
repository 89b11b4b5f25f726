import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { applyPatch } from "../../sandbox/patches/apply-patch.js";
import { patchHash } from "../../sandbox/collect-changes.js";
import { SANDBOXES, sandboxFolder } from "../../sandbox/sandbox-folder.js";
import { WorkspaceFolder } from "../../sandbox/workspaces/workspace-folder.js";
import type { RunConfig } from "../../model/run-config.js";
import type { SandboxRow } from "../../model/sandbox-row.js";
import type { SandboxEndSpec } from "../../model/task.js";
import { realPath } from "../../process/workspace-state.js";
import type { RunnerContext, RunnerResult } from "../ports.js";
import { runRoot } from "../run-root.js";
import { runInSandbox } from "./sandbox-work.js";

/** One of the two parts of a sandbox. */
export function runSandbox(context: RunnerContext): Promise<RunnerResult> {
  const { sandbox } = context.job.task;
  if (sandbox === undefined) {
    throw new ServiceError("INTERNAL_ERROR", `Sandbox task ${context.job.nodeId} has no sandbox.`);
  }
  return sandbox.part === "run" ? runInSandbox(context, sandbox) : endSandbox(context, sandbox);
}

/** Puts the changes in place, or leaves them, and gives the row. The same again after a crash: nothing is applied twice. */
async function endSandbox(context: RunnerContext, spec: SandboxEndSpec): Promise<RunnerResult> {
  const { job, report } = context;
  const row = job.args["run"] as SandboxRow | undefined;
  if (row === undefined) {
    throw new ServiceError("DEP_NOT_SATISFIED", `Sandbox ${spec.id} has no result: its work has failed.`, {
      retryable: false,
    });
  }
  const sandboxId = spec.id;
  const { patchCount } = row;
  if (patchCount > 0 && spec.changes !== "leave") {
    if (spec.changes === "review") refuseDenied(context, sandboxId);
    await putInPlace(context, row, spec);
    report.event({ type: "SandboxDiffAccepted", sandboxId, patchCount });
  }
  return { kind: "row", value: row.output ?? {}, isFinal: true };
}

function refuseDenied({ job, report }: RunnerContext, sandboxId: string): void {
  const decision = job.args["review"] as { approved?: unknown; note?: string | null } | undefined;
  if (decision?.approved === true) return;
  const reason = decision?.note ?? undefined;
  report.event({ type: "SandboxDiffRejected", sandboxId, ...(reason !== undefined && { reason }) });
  throw new ServiceError(
    "APPROVAL_DENIED",
    `The changes of sandbox ${sandboxId} were turned down${reason === undefined ? "" : `: ${reason}`}. Nothing of them was applied.`,
    { details: { sandboxId }, retryable: false },
  );
}

async function putInPlace(context: RunnerContext, row: SandboxRow, spec: SandboxEndSpec): Promise<void> {
  const { job, runtime, services } = context;
  const { runId, nodeId, iteration, attempt } = job;
  const { patchFile, application } = await placesOf(context, row, spec);
  const { rootDir, signal } = runtime;
  const attempts = await services.store.listAttempts(runId, nodeId, iteration);
  const mark = (number: number) => `${runId} ${number}`;
  const unrecorded = new Set(
    attempts.filter(({ state }) => state !== "finished").map((each) => mark(each.attempt)),
  );
  await applyPatch({
    ...{ root: rootDir, patchFile, signal },
    folder: application.folder,
    by: mark(attempt),
    isRecorded: (by) => !unrecorded.has(by),
    isPerhapsThere: application.isOfAnotherRun,
    // A person who has seen the patch may change the workflow's code by it; no one has seen the others.
    frozen: spec.changes === "accept" ? modulesIn(job.modules, rootDir) : [],
  });
  if (row.workspace === undefined) return;
  const { name, snapshotId } = row.workspace;
  const root = realPath(runRoot(job.config));
  await new WorkspaceFolder(root, { runId, name }).noteAccepted(snapshotId);
}

/**
 * The patch, and where its application is kept: in a fork, whose row comes from another run and which may work in another
 * folder, not where that run keeps its own.
 * @throws SANDBOX_BUNDLE_INVALID
 */
async function placesOf({ job, services }: RunnerContext, row: SandboxRow, { id }: SandboxEndSpec) {
  const root = runRoot(job.config);
  const { runId, nodeId, iteration } = job;
  const own = sandboxFolder(root, row.folder);
  const isOfAnotherRun = !row.folder.startsWith(join(SANDBOXES, runId, "/"));
  const folder = isOfAnotherRun
    ? join(root, SANDBOXES, runId, encodeURIComponent(`${nodeId}@${iteration}`), "application")
    : own.application;
  for (let config: RunConfig | undefined = job.config; config !== undefined; ) {
    const { patchFile } = sandboxFolder(runRoot(config), row.folder);
    const patch = await readFile(patchFile).catch(() => undefined);
    if (patch !== undefined && patchHash(patch) === row.patchHash)
      return { patchFile, application: { folder, isOfAnotherRun } };
    if (patch !== undefined) throw patchGone(id, `is not the one that was made (${patchFile})`);
    config = config.fork && (await services.store.getRun(config.fork.runId))?.config;
  }
  throw patchGone(id, `is not there any more (${own.patchFile})`);
}

function patchGone(id: string, how: string): ServiceError {
  return new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The patch of sandbox ${id} ${how}: nothing was changed. Run the work inside again: retry the task ${id}-run.`,
    { details: { sandboxId: id } },
  );
}

function modulesIn(modules: readonly string[], rootDir: string): string[] {
  const root = realPath(rootDir);
  return modules
    .map((path) => relative(root, realPath(path)))
    .filter((path) => !path.startsWith("..") && !isAbsolute(path));
}
