import { z } from "zod";
import { ServiceError } from "../../../../errors/service-error.js";
import { RUN_STATUSES, RUN_WAITS, type RunStatus } from "../../../../model/run.js";
import {
  cancelRun,
  forkForReplay,
  forkRun,
  inspectRun,
  refuseReservedRunId,
  type ReplayFork,
  resetTask,
  rewindRun,
  toRunDetail,
  toRunView,
} from "../../../../operations/index.js";
import { asDecider, type Caller, missingScope, runAuth } from "../../caller.js";
import { countAllRuns } from "../../count-all-runs.js";
import { listAllRuns } from "../../list-all-runs.js";
import { type GatewayWorkspace, requireRegistered } from "../../workspace.js";
import { launch } from "../launch.js";
import { given } from "../../../http/given.js";
import { queueOption } from "../../../http/run-requests.js";
import { method } from "../method.js";
import { frameNo, iteration, limit, nodeId, runId, workflowKey } from "./params.js";

/** Runs of all databases are found by their ids alone. @throws RUN_EXISTS */
async function refuseTakenId(workspace: GatewayWorkspace, runId: string | undefined): Promise<void> {
  if (runId === undefined || (await workspace.lookUp(runId)) === undefined) return;
  throw new ServiceError("RUN_EXISTS", `A run with the id "${runId}" exists already.`, {
    details: { runId },
  });
}

/** Of a run that is made of another one's past. */
const forkParams = {
  runId,
  frameNo: frameNo.optional(),
  nodeId: nodeId.optional(),
  iteration: iteration.optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  resetNodes: z.array(z.string().min(1)).max(1_000).optional(),
  label: z.string().min(1).max(256).optional(),
  newRunId: runId.optional(),
  dryRun: z.boolean().optional(),
};

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** What lists and counts of runs take. */
const runChoice = {
  statuses: z.array(z.enum(RUN_STATUSES)).max(RUN_STATUSES.length).optional(),
  workflow: workflowKey.optional(),
  workflowName: z.string().min(1).optional(),
  withFailures: z.boolean().optional(),
  waitsFor: z.array(z.enum(RUN_WAITS)).max(RUN_WAITS.length).optional(),
  needsMe: z.boolean().optional(),
  text: z.string().optional(),
  annotations: z.record(z.string(), scalar).optional(),
};

/** In place of the word for the caller, who that is: nothing needs one who may send no decisions. */
function meant<F extends { needsMe?: boolean | undefined; statuses?: RunStatus[] | undefined }>(
  { needsMe = false, ...filter }: F,
  caller: Caller,
) {
  if (!needsMe) return given(filter);
  const mayDecide = missingScope(caller, "approval:submit") === undefined;
  return given({ ...filter, decidableBy: asDecider(caller), ...(!mayDecide && { statuses: [] }) });
}

/** Starting, listing and steering runs. */
export const runMethods = {
  launchRun: method({
    scope: "run:write",
    params: z
      .strictObject({
        workflow: workflowKey,
        input: z.record(z.string(), z.unknown()).optional(),
        runId: z.string().optional(),
        idempotencyKey: z.string().min(1).max(256).optional(),
        maxConcurrency: z.number().int().min(1).optional(),
        queue: queueOption(),
        annotations: z.record(z.string(), scalar).optional(),
      })
      .refine((params) => params.runId === undefined || params.idempotencyKey === undefined, {
        message: "runId and idempotencyKey exclude each other: an id is such a key itself",
      }),
    async handle({ workflow: key, ...params }, ctx) {
      refuseReservedRunId(params.runId);
      const auth = runAuth(ctx.caller, ctx.workspace.clock.now());
      return { ...(await launch(ctx, { ...given(params), key, auth })), workflowKey: key };
    },
  }),
  resumeRun: method({
    scope: "run:write",
    params: z.strictObject({
      runId,
      force: z.boolean().optional(),
      acceptWorkflowChange: z.boolean().optional(),
    }),
    async handle(params, { workspace }) {
      const { workflow } = requireRegistered(await workspace.findRun(params.runId));
      const { runId, status } = await workspace.hosted.resume(workflow, given(params));
      return { runId, status };
    },
  }),
  cancelRun: method({
    scope: "run:write",
    params: z.strictObject({ runId, reason: z.string().optional() }),
    async handle(params, { workspace, caller }) {
      const { registered, db } = await workspace.findRun(params.runId);
      return cancelRun(registered?.workflow ?? db, {
        ...given(params),
        ...(caller.isAuthenticated && { requestedBy: caller.triggeredBy }),
      });
    },
  }),
  retryTask: method({
    scope: "run:write",
    params: z.strictObject({
      runId,
      nodeId,
      iteration: iteration.optional(),
      resetDependents: z.boolean().optional(),
      prompt: z.string().min(1).optional(),
      force: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    async handle(params, { caller, workspace }) {
      const found = await workspace.findRun(params.runId);
      const { resetNodes, seq } = await resetTask(requireRegistered(found).workflow, {
        ...given(params),
        ...(caller.isAuthenticated && { requestedBy: caller.triggeredBy }),
      });
      if (params.dryRun !== true) workspace.hosted.wake(found.db.store, params.runId);
      return { runId: params.runId, resetNodes, seq };
    },
  }),
  forkRun: method({
    scope: "run:admin",
    params: z.strictObject(forkParams),
    async handle(params, { caller, workspace }) {
      const found = await workspace.findRun(params.runId);
      await refuseTakenId(workspace, params.newRunId);
      const target = params.input === undefined ? found.db : requireRegistered(found).workflow;
      return forkRun(target, { ...given(params), auth: runAuth(caller, workspace.clock.now()) });
    },
  }),
  replayRun: method({
    scope: "run:admin",
    params: z.strictObject({
      ...forkParams,
      acceptEffects: z.boolean().optional(),
      restoreVcs: z.boolean().optional(),
    }),
    async handle(params, { caller, workspace }): Promise<ReplayFork & { status: RunStatus | null }> {
      const { workflow } = requireRegistered(await workspace.findRun(params.runId));
      await refuseTakenId(workspace, params.newRunId);
      const auth = runAuth(caller, workspace.clock.now());
      const make = () => forkForReplay(workflow, { ...given(params), auth });
      if (params.dryRun === true) return { ...(await make()), status: null };
      return workspace.hosted.resumeMade(workflow, make);
    },
  }),
  rewindRun: method({
    scope: "run:admin",
    params: z.strictObject({
      runId,
      frameNo,
      acceptEffects: z.boolean().optional(),
      revert: z.boolean().optional(),
      force: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    async handle(params, { caller, workspace }) {
      const { registered, db } = await workspace.findRun(params.runId);
      return rewindRun(registered?.workflow ?? db, {
        ...given(params),
        ...(caller.isAuthenticated && { requestedBy: caller.triggeredBy }),
      });
    },
  }),
  getRun: method({
    scope: "run:read",
    params: z.strictObject({ runId }),
    async handle(params, { workspace }) {
      const { run, db, registered } = await workspace.findRun(params.runId);
      const detail = await toRunDetail(db.store, run, workspace.clockOf(db.store).now());
      return { ...detail, workflowKey: registered?.key ?? null };
    },
  }),
  findRun: method({
    scope: "run:read",
    params: z.strictObject({ run: z.string().min(1) }),
    async handle({ run: reference }, { workspace }) {
      const { run, db, registered } = await workspace.meantRun(reference);
      const view = await toRunView(db.store, run, workspace.clockOf(db.store).now());
      return { ...view, workflowKey: registered?.key ?? null };
    },
  }),
  inspectRun: method({
    scope: "run:read",
    params: z.strictObject({ runId }),
    async handle(params, { workspace }) {
      const { db, registered } = await workspace.findRun(params.runId);
      const { run, ...rest } = await inspectRun(db, params.runId);
      return { run: { ...run, workflowKey: registered?.key ?? null }, ...rest };
    },
  }),
  listRuns: method({
    scope: "run:read",
    params: z.strictObject({
      status: z.enum(RUN_STATUSES).optional(),
      ...runChoice,
      parentRunId: runId.optional(),
      createdAfterMs: z.number().int().optional(),
      createdBeforeMs: z.number().int().optional(),
      olderThanMs: z.number().min(0).optional(),
      limit: limit.optional(),
      cursor: z.string().optional(),
    }),
    async handle({ status, statuses = status === undefined ? undefined : [status], ...filter }, ctx) {
      return listAllRuns(ctx.workspace, meant({ ...filter, statuses }, ctx.caller));
    },
  }),
  runHistogram: method({
    scope: "run:read",
    params: z.strictObject({
      ...runChoice,
      createdAfterMs: z.number().int().optional(),
      createdBeforeMs: z.number().int().optional(),
      bars: limit.optional(),
    }),
    handle: async (filter, { workspace, caller }) => countAllRuns(workspace, meant(filter, caller)),
  }),
};
