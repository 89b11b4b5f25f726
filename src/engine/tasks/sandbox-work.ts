import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import { isWaiting, type RunResult } from "../../model/run.js";
import type { SandboxRunSpec } from "../../model/task.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { currentProcessTerms } from "../../process/process-terms.js";
import { realPath } from "../../process/workspace-state.js";
import { asActiveSandbox } from "../../sandbox/active-sandboxes.js";
import { type CollectedChanges, collectChanges, takeAfter } from "../../sandbox/collect-changes.js";
import { BoundSecrets } from "../../sandbox/egress/secrets.js";
import { MANIFEST } from "../../sandbox/bundles/bundle-files.js";
import { refuseLongManifest } from "../../sandbox/bundles/limits.js";
import { type TakenResult, takeResult } from "../../sandbox/bundles/take-result.js";
import type {
  SandboxBundle,
  SandboxProvider,
  SandboxRequest,
  SandboxResult,
} from "../../model/sandbox-provider.js";
import { providerNamed } from "../../sandbox/provider.js";
import { BubblewrapRuntime } from "../../sandbox/runtimes/bubblewrap.js";
import { DockerRuntime } from "../../sandbox/runtimes/docker.js";
import {
  folderBytes,
  makeSandboxFolder,
  removeOthers,
  RESULT_FOLDER,
  type SandboxFolder,
} from "../../sandbox/sandbox-folder.js";
import { resolveVolumes } from "../../sandbox/volumes.js";
import type { FilesRequest } from "../../sandbox/workspaces/given-files.js";
import { withFiles } from "../../sandbox/workspaces/with-files.js";
import { truncateUtf8 } from "../../util/bounded-text.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import type { RunnerContext, RunnerResult } from "../ports.js";
import { runRoot } from "../run-root.js";

/** Progress of the stages, from 0 to 1. */
const STAGES = {
  initializing: 0,
  created: 0.1,
  shipped: 0.25,
  executing: 0.4,
  ended: 0.7,
  collected: 0.85,
  completed: 1,
};

const bubblewrap = new BubblewrapRuntime();
const docker = new DockerRuntime();

/** The work inside: a new copy of the files for each attempt, and a patch of what it has changed. */
export async function runInSandbox(context: RunnerContext, spec: SandboxRunSpec): Promise<RunnerResult> {
  const { job, report } = context;
  const sandboxId = spec.id;
  return asActiveSandbox({ sandboxId, allowNested: spec.allowNested }, async () => {
    const provider =
      typeof spec.provider === "string" ? named(spec.provider) : (spec.provider as SandboxProvider);
    const runtime = provider === bubblewrap ? "bubblewrap" : provider === docker ? "docker" : "provider";
    const startedAt = monotonicMs();
    report.event({ type: "SandboxCreated", sandboxId, runtime, configJson: shownConfig(spec) });
    try {
      const folder = await makeSandboxFolder(runRoot(job.config), job);
      const { taken, changes, snapshotId } = await inFolder(context, { spec, provider, runtime, folder });
      const { output, runId, remoteRunId = runId, workspaceId, containerId } = taken.result;
      const workspace =
        spec.workspace && snapshotId !== undefined ? { name: spec.workspace.name, snapshotId } : undefined;
      const ended = {
        durationMs: monotonicMs() - startedAt,
        ...(remoteRunId !== undefined && { remoteRunId }),
        ...(containerId !== undefined && { containerId }),
        ...(workspaceId !== undefined && { workspaceId }),
        ...(workspace !== undefined && { workspaceId: workspace.name, snapshotId: workspace.snapshotId }),
      };
      report.event({ type: "SandboxCompleted", sandboxId, runtime, status: "finished", ...ended });
      const { bytes: _, ...row } = changes;
      const artifacts = taken.artifacts.map((path) => `${folder.path}/${RESULT_FOLDER}/${path}`);
      const kept = {
        ...(workspace !== undefined && { workspace }),
        ...(artifacts.length > 0 && { artifacts }),
      };
      const value = { ...row, ...kept, output: output ?? {}, folder: folder.path };
      return { kind: "row", value };
    } catch (error) {
      report.event({ type: "SandboxFailed", sandboxId, runtime, error: serializeError(error) });
      throw error;
    }
  });
}

interface Work {
  readonly spec: SandboxRunSpec;
  readonly provider: SandboxProvider;
  readonly runtime: "bubblewrap" | "docker" | "provider";
  readonly folder: SandboxFolder;
}

async function inFolder(
  context: RunnerContext,
  work: Work,
): Promise<{ taken: TakenResult; changes: CollectedChanges; snapshotId: string | undefined }> {
  const { report, runtime: task } = context;
  const { spec, provider, runtime, folder } = work;
  const sandboxId = spec.id;
  let artifacts: readonly string[] = [];
  const progress = (value: number) => {
    task.heartbeat();
    report.event({ type: "SandboxHeartbeat", sandboxId, progress: value });
  };
  progress(STAGES.initializing);
  const secrets = new BoundSecrets(spec.egress?.secretBindings);
  let sinceMs = monotonicMs();
  return withFiles(filesOf(context, work), async (files) => {
    progress(STAGES.created);
    const bytesBefore = await folderBytes(files.folder.files);
    report.event({
      ...{ type: "SandboxShipped", sandboxId, runtime, bundleSizeBytes: bytesBefore },
      durationMs: monotonicMs() - sinceMs,
    });
    progress(STAGES.shipped);
    const request = await requestOf(context, spec, files.folder);
    progress(STAGES.executing);
    const taken = await takeResult(await ran(provider, request), { folder: folder.result, secrets });
    artifacts = taken.artifacts;
    const result = withoutSecrets(taken.result, secrets);
    if (taken.log !== undefined) say(context, secrets.redacted(taken.log));
    progress(STAGES.ended);
    sinceMs = monotonicMs();
    if (result.status !== "finished") throw notFinished(sandboxId, result);
    const after = await takeAfter(files, { bytesBefore, changes: taken.changes });
    const left = await files.settle(after);
    const changes = await collectChanges(files, left);
    await refuseSecrets(folder, { sandboxId, secrets });
    const snapshotId = await files.keep(left);
    const { bytes: bundleSizeBytes, patchCount, addedLines, removedLines } = changes;
    report.event({
      ...{ type: "SandboxBundleReceived", sandboxId, bundleSizeBytes, patchCount },
      durationMs: monotonicMs() - sinceMs,
      hasOutputs: result.output !== undefined,
    });
    progress(STAGES.collected);
    if (spec.isReviewed && patchCount > 0) {
      const totalDiffLines = addedLines + removedLines;
      report.event({ type: "SandboxDiffReviewRequested", sandboxId, patchCount, totalDiffLines });
    }
    progress(STAGES.completed);
    return { taken: { ...taken, result }, changes, snapshotId };
  }).finally(() => (secrets.isEmpty ? undefined : removeOthers(folder.result, artifacts)));
}

function filesOf({ job, runtime, services }: RunnerContext, { spec, folder }: Work): FilesRequest {
  return {
    root: realPath(runRoot(job.config)),
    rootDir: realPath(runtime.rootDir),
    runId: job.runId,
    by: taskKey(job),
    workspace: spec.workspace,
    folder,
    signal: runtime.signal,
    isAutoAccepted: spec.isAutoAccepted,
    now: () => services.clock.now(),
    onWait: () => runtime.heartbeat(),
  };
}

function named(name: string): SandboxProvider {
  return [bubblewrap, docker].find(({ id }) => id === name) ?? providerNamed(name);
}

async function ran(
  provider: SandboxProvider,
  request: SandboxRequest,
): Promise<SandboxResult | SandboxBundle> {
  try {
    return await provider.run(request);
  } finally {
    await provider.cleanup?.(request);
  }
}

/** What a provider has brought along as a log is what the attempt has printed. */
function say({ job, report }: RunnerContext, log: string): void {
  const { nodeId, iteration, attempt } = job;
  const { maxOutputBytes = RUN_DEFAULTS.maxOutputBytes } = job.config;
  const { text, truncated } = truncateUtf8(log, maxOutputBytes);
  if (text === "") return;
  const end = truncated ? "\n[cut here]\n" : "";
  report.event({ type: "NodeOutput", nodeId, iteration, attempt, text: `${text}${end}`, stream: "stdout" });
}

/** Its row and its reason are stored. */
function withoutSecrets({ output, error, ...others }: SandboxResult, secrets: BoundSecrets): SandboxResult {
  return {
    ...others,
    ...(output !== undefined && { output: JSON.parse(secrets.redacted(JSON.stringify(output))) as unknown }),
    ...(error !== undefined && { error: secrets.redacted(error) }),
  };
}

/** A patch with a secret in it is not kept. */
async function refuseSecrets(
  { patchFile }: SandboxFolder,
  { sandboxId, secrets }: { sandboxId: string; secrets: BoundSecrets },
): Promise<void> {
  try {
    secrets.refuseIn(await readFile(patchFile), `The patch of sandbox ${sandboxId}`);
  } catch (error) {
    await rm(patchFile, { force: true });
    throw error;
  }
}

function notFinished(
  sandboxId: string,
  { status, error = "no reason was given", retryable }: SandboxResult,
): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The run inside sandbox ${sandboxId} is ${status}: ${error}`,
    { details: { sandboxId, status }, ...(retryable !== undefined && { retryable }) },
  );
}

/** For people: which variables there are, and nothing of their values. */
function shownConfig({
  allowNetwork,
  allowNested,
  env,
  volumes,
  egress,
  memoryBytes,
  cpuLimit,
  ports,
  workspace,
  command,
  image,
}: SandboxRunSpec): string {
  const names = { env: Object.keys(env), ...(egress !== undefined && { egress: Object.keys(egress) }) };
  const limits = { memoryBytes, cpuLimit };
  return JSON.stringify({
    allowNetwork,
    allowNested,
    ...names,
    volumes,
    ...limits,
    ports,
    workspace,
    command,
    image,
  });
}

async function requestOf(
  context: RunnerContext,
  spec: SandboxRunSpec,
  folder: SandboxFolder,
): Promise<SandboxRequest> {
  const { job, runtime, services } = context;
  const {
    id: sandboxId,
    input,
    allowNetwork,
    env,
    egress,
    memoryBytes,
    cpuLimit,
    ports,
    command,
    image,
  } = spec;
  const rootDir = realPath(runtime.rootDir);
  const volumes = resolveVolumes(spec.volumes, { rootDir, state: currentProcessTerms().hidden });
  const workflow = spec.workflow as ServiceWorkflow | string | undefined;
  const parentWorkflow = (await services.store.getRun(job.runId))?.workflowPath ?? undefined;
  const { maxOutputBytes = RUN_DEFAULTS.maxOutputBytes, toolTimeoutMs = RUN_DEFAULTS.toolTimeoutMs } =
    job.config;
  const data = {
    ...{ runId: job.runId, sandboxId, allowNetwork, maxOutputBytes, toolTimeoutMs },
    ...(input !== undefined && { input }),
    config: job.config.config ?? RUN_DEFAULTS.config,
    ...(parentWorkflow !== undefined && { parentWorkflow }),
    ...{ rootDir, volumes, memoryBytes },
    ...(cpuLimit !== undefined && { cpuLimit }),
    ...(ports !== undefined && { ports }),
    ...(command !== undefined && { command }),
    ...(image !== undefined && { image }),
  };
  await mkdir(folder.request, { recursive: true });
  // Neither variables nor addresses of proxies: passwords may stand in them.
  const manifest = JSON.stringify({ ...data, ...(typeof workflow === "string" && { workflow }) });
  refuseLongManifest(Buffer.byteLength(manifest));
  await writeFile(join(folder.request, MANIFEST), manifest, { mode: 0o600 });
  return {
    ...data,
    env,
    ...(egress !== undefined && { egress }),
    workspacePath: folder.files,
    requestBundlePath: folder.request,
    resultBundlePath: folder.result,
    ...(workflow !== undefined && { workflow }),
    modules: job.modules,
    executeChildWorkflow: () => executeHere(context, spec, folder),
    signal: runtime.signal,
    heartbeat(about) {
      runtime.heartbeat();
      if (about !== undefined) context.report.event({ type: "SandboxHeartbeat", sandboxId, ...about });
    },
  };
}

/** For providers of tests: the child run in this process and in the run's own database, on the sandbox's files. */
async function executeHere(
  { job, runtime, record, services }: RunnerContext,
  { id, workflow, input }: SandboxRunSpec,
  folder: SandboxFolder,
): Promise<RunResult> {
  if (workflow === undefined || typeof workflow === "string") {
    const what = workflow === undefined ? "What runs in" : "The workflow of";
    const is =
      workflow === undefined ? "a command" : "the path of a file, which only a process of its own loads";
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `${what} sandbox ${id} is ${is}: give the workflow itself.`,
      { retryable: false },
    );
  }
  const runId = childRunId(job, job);
  record.meta = { childRunId: runId };
  const { result } = await services.childRuns.drive(workflow as ServiceWorkflow, {
    runId,
    parentRunId: job.runId,
    place: { nodeId: job.nodeId, iteration: job.iteration },
    input: { ...input },
    signal: runtime.signal,
    config: { ...job.config, rootDir: folder.files },
    formerOwner: job.formerOwner,
  });
  if (!isWaiting(result.status)) return result;
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The run inside sandbox ${id} is ${result.status}, and no one can reach it there.`,
    {
      retryable: false,
    },
  );
}
