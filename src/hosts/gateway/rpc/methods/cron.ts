import { z } from "zod";
import { ServiceError } from "../../../../errors/service-error.js";
import { CATCH_UP_POLICIES, OVERLAP_POLICIES, type Schedule } from "../../../../model/schedule.js";
import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  requestScheduledRun,
  startOccurrence,
  updateSchedule,
  viewOfOccurrence,
  viewOfSchedule,
} from "../../../../operations/index.js";
import type { ServiceDb } from "../../../../store/index.js";
import { given } from "../../../http/given.js";
import { startScheduled } from "../../cron/start-scheduled.js";
import type { GatewayParts } from "../../gateway-parts.js";
import { method } from "../method.js";
import { workflowKey } from "./params.js";

const cronId = z.string().min(1);
const input = z.record(z.string(), z.unknown());

/** Only checked, and answered with the result that it would have. */
const dryRun = z.boolean().optional();

const settings = {
  timeZone: z.string().optional(),
  overlap: z.enum(OVERLAP_POLICIES).optional(),
  catchUp: z.enum(CATCH_UP_POLICIES).optional(),
  enabled: z.boolean().optional(),
  input: input.optional(),
};

const MOST_HISTORY = 500;

/** Schedules. */
export const cronMethods = {
  cronList: method({
    scope: "cron:read",
    params: z.strictObject({
      workflow: workflowKey.optional(),
      cronId: cronId.optional(),
      /** Occurrences of each. */
      history: z.number().int().min(0).max(MOST_HISTORY).optional(),
    }),
    async handle({ workflow, history, ...params }, { workspace }) {
      const listed = (db: ServiceDb) => listSchedules(db, filter, workspace.clockOf(db.store).now());
      const filter = given({ workflowKey: workflow, history });
      if (params.cronId !== undefined) {
        const { db } = await findSchedule({ workspace }, params.cronId);
        const nowMs = workspace.clockOf(db.store).now();
        return listSchedules(db, { ...filter, cronId: params.cronId }, nowMs);
      }
      const lists = await Promise.all(workspace.databases().map(listed));
      const damaged = lists.flatMap((list) => list.damaged ?? []);
      return {
        schedules: lists.flatMap(({ schedules }) => schedules),
        ...(damaged.length > 0 && { damaged }),
      };
    },
  }),

  cronCreate: method({
    // Runs of a schedule act as the system, with every scope.
    scope: ["cron:write", "run:write"],
    params: z.strictObject({
      workflow: workflowKey,
      pattern: z.string(),
      cronId: cronId.optional(),
      ...settings,
      dryRun,
    }),
    async handle({ workflow, dryRun = false, ...params }, { workspace, caller, schedulesChanged }) {
      const { key, db } = workspace.workflow(workflow);
      const clock = workspace.clockOf(db.store);
      if (params.cronId !== undefined) await refuseTaken({ workspace }, params.cronId);
      const request = { ...given(params), workflowKey: key, createdBy: caller.userId ?? caller.triggeredBy };
      const schedule = await createSchedule(db, request, { clock, knowsInput: true, dryRun });
      schedulesChanged.nudge();
      return viewOfSchedule(schedule, clock.now());
    },
  }),

  cronUpdate: method({
    // Runs of a schedule act as the system, with every scope.
    scope: ["cron:write", "run:write"],
    params: z.strictObject({ cronId, pattern: z.string().optional(), ...settings, dryRun }),
    async handle({ cronId: id, dryRun = false, ...changes }, { workspace, schedulesChanged }) {
      const { db, isKnown } = await findSchedule({ workspace }, id);
      const clock = workspace.clockOf(db.store);
      const options = { clock, knowsInput: isKnown, dryRun };
      const changed = await updateSchedule(db, { cronId: id, ...given(changes) }, options);
      schedulesChanged.nudge();
      return viewOfSchedule(changed, clock.now());
    },
  }),

  cronDelete: method({
    scope: "cron:write",
    params: z.strictObject({ cronId, dryRun }),
    async handle({ cronId: id, dryRun = false }, { workspace }) {
      const { db } = await findSchedule({ workspace }, id);
      await deleteSchedule(db, id, { dryRun });
      return { cronId: id, removed: !dryRun };
    },
  }),

  cronRun: method({
    // Runs of a schedule act as the system, with every scope.
    scope: ["cron:write", "run:write"],
    params: z.strictObject({ cronId, input: input.optional(), dryRun }),
    async handle({ cronId: id, dryRun = false, ...params }, ctx) {
      const { workspace, caller } = ctx;
      const { schedule } = await findSchedule(ctx, id);
      const { workflowKey: key } = schedule;
      const { db } = workspace.workflow(key);
      const clock = workspace.clockOf(db.store);
      const auth = { triggeredBy: caller.triggeredBy, role: caller.role, scopes: [...caller.scopes] };
      const request = { cronId: id, auth, ...given(params) };
      const asked = await requestScheduledRun(db, request, { clock, knowsInput: true, dryRun });
      const start = startScheduled(ctx);
      const occurrence =
        asked.state === "pending" && !dryRun
          ? await startOccurrence(db.store, asked, { clock, start, workflowKey: key })
          : asked;
      return { ...viewOfOccurrence(occurrence), workflowKey: key };
    },
  }),
};

type Where = Pick<GatewayParts, "workspace">;

interface FoundSchedule {
  schedule: Schedule;
  /** That of its workflow, where that is registered here. */
  db: ServiceDb;
  isKnown: boolean;
}

/** @throws CRON_NOT_FOUND */
async function findSchedule(where: Where, id: string): Promise<FoundSchedule> {
  const found = await lookUp(where, id);
  if (found !== undefined) return found;
  throw new ServiceError("CRON_NOT_FOUND", `This gateway knows no schedule ${JSON.stringify(id)}.`, {
    details: { cronId: id },
  });
}

async function lookUp({ workspace }: Where, id: string): Promise<FoundSchedule | undefined> {
  for (const db of workspace.databases()) {
    const schedule = await db.store.schedules.get(id);
    if (schedule === undefined) continue;
    const registered = workspace.workflowsOf(db.store).find(({ key }) => key === schedule.workflowKey);
    return { schedule, db: registered?.db ?? db, isKnown: registered !== undefined };
  }
  return undefined;
}

/** Ids are found without the name of their database. @throws CRON_EXISTS */
async function refuseTaken(where: Where, id: string): Promise<void> {
  if ((await lookUp(where, id)) === undefined) return;
  throw new ServiceError("CRON_EXISTS", `There is a schedule ${id} already.`, { details: { cronId: id } });
}
