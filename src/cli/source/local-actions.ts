import { HEARTBEAT_MS } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import {
  codeCheck,
  type ForkRunOptions,
  keepRefusal,
  requireRun,
  retriedTask,
  rootOf,
  runStateOf,
  type Workspace,
  remedyCommand,
} from "../../operations/index.js";
import type { Store } from "../../store/index.js";
import { userName } from "../runs/user-name.js";
import type { Terminal } from "../terminal.js";
import type { Place } from "./place.js";

type Actions = Pick<
  Place,
  | "cancelRun"
  | "completeTask"
  | "findRequest"
  | "forkRun"
  | "resumeRun"
  | "replayRun"
  | "pruneRuns"
  | "retryTask"
  | "rewindRun"
  | "skipTask"
  | "submitApproval"
  | "submitSignal"
>;

interface OwnCode {
  acceptWorkflowChange: boolean | undefined;
}

/** Actions on the runs of a database. */
export function localActions(
  { db, store, path }: Workspace,
  { cwd, environment }: Pick<Terminal, "cwd" | "environment">,
): Actions {
  const load = async (run: RunRow, { acceptWorkflowChange = false }: OwnCode) => {
    const { loadRunWorkflow } = await import("../drive/load-run-workflow.js");
    const beforeRun = await codeCheck(store, await rootOf(store, run), { acceptWorkflowChange });
    return loadRunWorkflow(run, { cwd, databasePath: path, beforeRun });
  };
  /** The schema of an input is in the code. */
  const forkTarget = async ({ runId, input, dryRun }: ForkRunOptions, given: OwnCode) => {
    if (input === undefined) return db;
    if (dryRun === true) throw previewOfInput();
    return load(await requireRun(store, runId), given);
  };
  return {
    async findRequest(address) {
      const { findRequest } = await import("../../operations/request/find-request.js");
      const { config } = await requireRun(store, address.runId);
      return { request: await findRequest(db, address), askedBy: config.auth?.triggeredBy ?? null };
    },
    async submitApproval({ approved, decidedBy = userName(environment), ...decision }) {
      const { approveNode, denyNode } = await import("../../operations/decide-approval.js");
      const request = { ...decision, decidedBy };
      const decided = await (approved ? approveNode(db, request) : denyNode(db, request));
      return { ...decided, decidedBy };
    },
    async submitSignal({ dryRun = false, ...request }) {
      const { signalRun } = await import("../../operations/send-signal.js");
      return signalRun(db, request, { dryRun });
    },
    async cancelRun(request) {
      const { cancelRun } = await import("../../operations/cancel-run.js");
      return cancelRun(db, { requestedBy: userName(environment), ...request });
    },
    async retryTask({ acceptWorkflowChange = false, ...request }) {
      const { previewReset, resetTask } = await import("../../operations/retry-task.js");
      const run = await requireRun(store, request.runId);
      await refuseChild(store, run, request);
      const { runId } = run;
      if (request.dryRun === true) return { runId, ...(await previewReset(store, request)) };
      const asked = { requestedBy: userName(environment), ...request };
      const { resetNodes, seq } = await resetTask(await load(run, { acceptWorkflowChange }), asked);
      return { runId, resetNodes, seq };
    },
    async completeTask({ completedBy = userName(environment), ...request }) {
      const { completeTask } = await import("../../operations/complete-task.js");
      return { ...(await completeTask(db, { ...request, completedBy })), completedBy };
    },
    async skipTask({ skippedBy = userName(environment), ...request }) {
      const { skipTask } = await import("../../operations/complete-task.js");
      return { ...(await skipTask(db, { ...request, skippedBy })), skippedBy };
    },
    async pruneRuns(request) {
      const { pruneRuns } = await import("../../operations/prune-runs.js");
      return pruneRuns(db, request);
    },
    async forkRun({ acceptWorkflowChange, ...request }) {
      const { forkRun } = await import("../../operations/fork-run.js");
      return forkRun(await forkTarget(request, { acceptWorkflowChange }), request);
    },
    async replayRun({ acceptWorkflowChange, ...request }) {
      const { forkForReplay } = await import("../../operations/replay-run.js");
      const made = await forkForReplay(await forkTarget(request, { acceptWorkflowChange }), request);
      return { ...made, status: made.runId === null ? null : (await requireRun(store, made.runId)).status };
    },
    async rewindRun({ acceptWorkflowChange = false, ...request }) {
      const { rewindRun } = await import("../../operations/rewind-run.js");
      const asked = { requestedBy: userName(environment), ...request };
      const run = await requireRun(store, request.runId);
      const hasChildren = (await store.listNodes(run.runId)).some(({ kind }) => kind === "subflow");
      const hasReverts = (await store.listToolEffects(run.runId)).length > 0;
      if (request.dryRun === true || !(hasChildren || hasReverts)) return rewindRun(db, asked);
      // Child runs may be in databases of their own, which the code names; and it has what undoes calls of tools.
      return rewindRun(await load(run, { acceptWorkflowChange }), asked);
    },
    async resumeRun({ signal, ...request }) {
      const [{ loadRunWorkflow }, { runWorkflow }] = await Promise.all([
        import("../drive/load-run-workflow.js"),
        import("../../operations/run-workflow.js"),
      ]);
      const run = await rootOf(store, await requireRun(store, request.runId));
      const beforeRun = await codeCheck(store, run, request);
      const loading = loadRunWorkflow(run, { cwd, databasePath: path, beforeRun });
      const workflow = await loading.catch(async (error: unknown) => {
        await keepRefusal(store, run.runId, { error, nowMs: store.clock.now() });
        throw error;
      });
      const stop = new AbortController();
      // Whatever the caller's reason: a run that is only released must not be cancelled.
      const release = () => stop.abort(new ServiceError("PROCESS_ABORTED", "The process stops."));
      signal?.addEventListener("abort", release, { once: true });
      if (signal?.aborted === true) release();
      const options = { ...request, runId: run.runId, resume: true, signal: stop.signal };
      const { runId, status } = await runWorkflow(workflow, options);
      return { runId, status };
    },
  };
}

/** The workflow of a child run is known through its parent's only. @throws CLI_USAGE */
async function refuseChild(
  store: Store,
  run: RunRow,
  { nodeId, iteration = 0 }: { nodeId: string; iteration?: number },
): Promise<void> {
  const { runId } = run;
  const task = await retriedTask(store, run, { runId, nodeId, iteration });
  if (task.runId === runId) return;
  const command = remedyCommand({ action: "retry-task", ...task });
  throw new ServiceError(
    "CLI_USAGE",
    `Run ${runId} is a child run: its tasks run again with the one that started it: \`${command}\`.`,
    { details: { runId, task } },
  );
}

/** Who looks loads no code of the run. */
function previewOfInput(): ServiceError {
  return new ServiceError(
    "CLI_USAGE",
    "--dry-run goes with --set or --input at a gateway only: checking them takes the code of the workflow, which a preview does not load. Leave them out to see what would be kept.",
  );
}

/** A living process takes up what is sent to the run. */
export async function isDriven(store: Store, runId: string): Promise<boolean> {
  const run = await store.getRun(runId);
  return (
    run !== undefined &&
    run.ownerId !== null &&
    runStateOf(run, store.clock.now(), HEARTBEAT_MS).runState === "running"
  );
}
