import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  requestScheduledRun,
  updateSchedule,
  viewOfOccurrence,
  viewOfSchedule,
  type Workspace,
} from "../../operations/index.js";
import { userName } from "../runs/user-name.js";
import type { Terminal } from "../terminal.js";
import type { ScheduleSource } from "./schedule-source.js";

/** The schedules of a database; what they start is for gateways. */
export function localSchedules(
  { db }: Workspace,
  { environment }: Pick<Terminal, "environment">,
): ScheduleSource {
  return {
    list: ({ workflow, ...filter }) =>
      listSchedules(db, { ...filter, ...(workflow !== undefined && { workflowKey: workflow }) }, Date.now()),
    async create({ workflow, dryRun, ...schedule }) {
      const request = { ...schedule, workflowKey: workflow, createdBy: userName(environment) };
      const made = await createSchedule(db, request, { dryRun });
      return viewOfSchedule(made, Date.now());
    },
    update: async ({ dryRun, ...changes }) =>
      viewOfSchedule(await updateSchedule(db, changes, { dryRun }), Date.now()),
    remove: (cronId, how) => deleteSchedule(db, cronId, how),
    async run({ dryRun, ...request }) {
      const auth = { triggeredBy: userName(environment), role: "operator", scopes: ["*"] };
      return viewOfOccurrence(await requestScheduledRun(db, { ...request, auth }, { dryRun }));
    },
  };
}
