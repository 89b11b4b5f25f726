import { readFile } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { applyPatch } from "../../sandbox/patches/apply-patch.js";
import { patchHash } from "../../sandbox/collect-changes.js";
import { sandboxFolder } from "../../sandbox/sandbox-folder.js";
import { WorkspaceFolder } from "../../sandbox/workspaces/workspace-folder.js";
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

async function putInPlace(
  { job, runtime }: RunnerContext,
  row: SandboxRow,
  { id, changes }: SandboxEndSpec,
): Promise<void> {
  const { patchFile, application } = sandboxFolder(runRoot(job.config), row.folder);
  const patch = await readFile(patchFile).catch((cause: unknown) => {
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `The patch of sandbox ${id} is not there any more (${patchFile}).`,
      {
        cause: ensureError(cause),
      },
    );
  });
  if (patchHash(patch) !== row.patchHash) {
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `The patch of sandbox ${id} is not the one that was made (${patchFile}).`,
    );
  }
  const { rootDir, signal } = runtime;
  // A person who has seen the patch may change the workflow's code by it; no one has seen the others.
  const frozen = changes === "accept" ? modulesIn(job.modules, rootDir) : [];
  await applyPatch({ root: rootDir, patchFile, folder: application, frozen, signal });
  if (row.workspace === undefined) return;
  const { name, snapshotId } = row.workspace;
  const root = realPath(runRoot(job.config));
  await new WorkspaceFolder(root, { runId: job.runId, name }).noteAccepted(snapshotId);
}

function modulesIn(modules: readonly string[], rootDir: string): string[] {
  const root = realPath(rootDir);
  return modules
    .map((path) => relative(root, realPath(path)))
    .filter((path) => !path.startsWith("..") && !isAbsolute(path));
}
