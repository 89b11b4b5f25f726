import { z } from "zod";
import { TERMINAL_STATUSES } from "../../../../model/run.js";
import {
  completeTask,
  type InterventionResult,
  keepRefusal,
  type OperationTarget,
  type PruneResult,
  pruneRuns,
  rootOf,
  skipTask,
} from "../../../../operations/index.js";
import { given } from "../../../http/given.js";
import { actorOf } from "../actor.js";
import { method } from "../method.js";
import { type GatewayRun, type GatewayWorkspace, requireRegistered } from "../../workspace.js";
import { iteration, nodeId, runId } from "./params.js";

const address = { runId, nodeId, iteration: iteration.optional() };
const about = { note: z.string().optional(), dryRun: z.boolean().optional() };

/** What operators do to runs and their tasks with their own hands. */
export const interventionMethods = {
  completeTask: method({
    scope: "run:write",
    params: z.strictObject({
      ...address,
      output: z.record(z.string(), z.unknown()),
      completedBy: z.string().min(1).optional(),
      ...about,
    }),
    async handle({ completedBy, ...params }, { workspace, caller }) {
      const by = actorOf(caller, { option: "completedBy", claimed: completedBy });
      const request = given({ ...params, completedBy: by });
      const done = await atRun(workspace, params, (target) => completeTask(target, request));
      return { ...done, completedBy: by ?? null };
    },
  }),
  skipTask: method({
    scope: "run:write",
    params: z.strictObject({ ...address, skippedBy: z.string().min(1).optional(), ...about }),
    async handle({ skippedBy, ...params }, { workspace, caller }) {
      const by = actorOf(caller, { option: "skippedBy", claimed: skippedBy });
      const request = given({ ...params, skippedBy: by });
      const done = await atRun(workspace, params, (target) => skipTask(target, request));
      return { ...done, skippedBy: by ?? null };
    },
  }),
  pruneRuns: method({
    scope: "run:admin",
    params: z.strictObject({
      runIds: z.array(runId).min(1).max(500).optional(),
      olderThanMs: z.number().min(0).optional(),
      statuses: z.array(z.enum(TERMINAL_STATUSES)).optional(),
      workflowName: z.string().min(1).optional(),
      limit: z.number().int().min(1).optional(),
      dryRun: z.boolean().optional(),
    }),
    async handle({ limit, ...params }, { workspace }) {
      const { dryRun = false } = params;
      const all: PruneResult = { runIds: [], dryRun };
      let left = limit;
      for (const [at, db] of workspace.databases().entries()) {
        if (left === 0) break;
        const runIds = params.runIds && (await idsIn(workspace, params.runIds, { db, isFirst: at === 0 }));
        if (runIds?.length === 0) continue;
        const request = {
          ...given(params),
          ...(runIds && { runIds }),
          ...(left !== undefined && { limit: left }),
        };
        const { runIds: deleted, kept = [] } = await pruneRuns(db, request);
        all.runIds.push(...deleted);
        if (kept.length > 0) all.kept = [...(all.kept ?? []), ...kept];
        if (left !== undefined) left -= deleted.length;
      }
      return all;
    },
  }),
};

/** Those that are in this database; those that are in none are told of by the first. */
async function idsIn(
  workspace: GatewayWorkspace,
  runIds: readonly string[],
  { db, isFirst }: { db: GatewayRun["db"]; isFirst: boolean },
): Promise<string[]> {
  const own: string[] = [];
  for (const id of runIds) {
    const found = await workspace.lookUp(id);
    if (found === undefined ? isFirst : found.db === db) own.push(id);
  }
  return own;
}

/** Does it, and takes it up: the gateway continues a failed run, too, as far as that can be continued. */
async function atRun(
  workspace: GatewayWorkspace,
  { runId: id, dryRun = false }: { runId: string; dryRun?: boolean | undefined },
  act: (target: OperationTarget) => Promise<InterventionResult>,
): Promise<InterventionResult> {
  const { run, db, registered } = await workspace.findRun(id);
  const done = await act(registered?.workflow ?? db);
  if (dryRun) return done;
  if (!done.needsResume) {
    if (registered !== undefined) workspace.hosted.wake(db.store, done.runId);
    return done;
  }
  const root = await rootOf(db.store, run);
  try {
    const { workflow } = requireRegistered(await workspace.findRun(root.runId));
    await workspace.hosted.resume(workflow, { runId: root.runId });
    return { ...done, needsResume: false };
  } catch (error) {
    // It is kept all the same, and the run says what is in the way.
    await keepRefusal(db.store, root.runId, { error, nowMs: workspace.clockOf(db.store).now() });
    return done;
  }
}
