import { HEARTBEAT_MS } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import {
  codeCheck,
  findRun,
  keepRefusal,
  requireRun,
  resumeRemedy,
  retriedTask,
  rootOf,
  runStateOf,
  type Workspace,
} from "../../operations/index.js";
import { remedyCommand } from "../output/remedy-text.js";
import type { Store } from "../../store/index.js";
import { userName } from "../runs/user-name.js";
import type { Terminal } from "../terminal.js";
import { knownRun } from "./known-run.js";
import type { RunActions, TaskReset } from "./run-actions.js";

/** Actions on the runs of a database. */
export function localActions(
  { db, store, path }: Workspace,
  { cwd, environment }: Pick<Terminal, "cwd" | "environment">,
): RunActions {
  return {
    find: async (reference) => knownRun(await findRun(store, reference)),
    async list(filter) {
      const { listRuns } = await import("../../operations/get-run.js");
      return listRuns(db, filter);
    },
    async request(address) {
      const { findRequest } = await import("../../operations/request/find-request.js");
      const { config } = await requireRun(store, address.runId);
      return { request: await findRequest(db, address), askedBy: config.auth?.triggeredBy ?? null };
    },
    async decide({ approved, by = userName(environment), ...decision }) {
      const { approveNode, denyNode } = await import("../../operations/decide-approval.js");
      const request = { ...decision, decidedBy: by };
      const decided = await (approved ? approveNode(db, request) : denyNode(db, request));
      return { ...decided, decidedBy: by };
    },
    async signal(request, { dryRun }) {
      const { signalRun } = await import("../../operations/send-signal.js");
      return signalRun(db, request, { dryRun });
    },
    async cancel(request) {
      const { cancelRun } = await import("../../operations/cancel-run.js");
      return cancelRun(db, { requestedBy: userName(environment), ...request });
    },
    async resetTask(request, how) {
      const { previewReset, resetTask } = await import("../../operations/retry-task.js");
      const run = await requireRun(store, request.runId);
      await refuseChild(store, run, request);
      if (request.dryRun === true) return previewReset(store, request);
      const { loadRunWorkflow } = await import("../drive/load-run-workflow.js");
      const beforeRun = await codeCheck(store, await rootOf(store, run), how);
      return resetTask(await loadRunWorkflow(run, { cwd, databasePath: path, beforeRun }), request);
    },
    async view(reference) {
      const { toRunView } = await import("../../operations/get-run.js");
      return toRunView(store, await findRun(store, reference), Date.now());
    },
    async resume({ signal, ...request }) {
      const [{ loadRunWorkflow }, { runWorkflow }] = await Promise.all([
        import("../drive/load-run-workflow.js"),
        import("../../operations/run-workflow.js"),
      ]);
      const run = await rootOf(store, await requireRun(store, request.runId));
      const beforeRun = await codeCheck(store, run, request);
      const loading = loadRunWorkflow(run, { cwd, databasePath: path, beforeRun });
      const workflow = await loading.catch(async (error: unknown) => {
        await keepRefusal(store, run.runId, { error, nowMs: Date.now() });
        throw error;
      });
      const stop = new AbortController();
      // Whatever the caller's reason: a run that is only released must not be cancelled.
      const release = () => stop.abort(new ServiceError("PROCESS_ABORTED", "The process stops."));
      signal.addEventListener("abort", release, { once: true });
      if (signal.aborted) release();
      const options = { ...request, runId: run.runId, resume: true, signal: stop.signal };
      const { runId, status } = await runWorkflow(workflow, options);
      return { runId, status };
    },
    isDriven: (runId) => isDriven(store, runId),
    resumeRemedy: async (runId) => resumeRemedy(store, await requireRun(store, runId)),
    isTakenUp: async (runId) => (await store.pendingIntents(runId)).length === 0,
  };
}

/** The workflow of a child run is known through its parent's only. @throws CLI_USAGE */
async function refuseChild(store: Store, run: RunRow, { nodeId, iteration = 0 }: TaskReset): Promise<void> {
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

/** A living process takes up what is sent to the run. */
export async function isDriven(store: Store, runId: string): Promise<boolean> {
  const run = await store.getRun(runId);
  return (
    run !== undefined &&
    run.ownerId !== null &&
    runStateOf(run, Date.now(), HEARTBEAT_MS).runState === "running"
  );
}
