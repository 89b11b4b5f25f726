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
import type { Place } from "./place.js";

type Schedules = Pick<Place, "cronCreate" | "cronDelete" | "cronList" | "cronRun" | "cronUpdate">;

/** The schedules of a database; what they start is for gateways. */
export function localSchedules({ db }: Workspace, { environment }: Pick<Terminal, "environment">): Schedules {
  return {
    cronList: ({ workflow, ...filter }) =>
      listSchedules(
        db,
        { ...filter, ...(workflow !== undefined && { workflowKey: workflow }) },
        db.store.clock.now(),
      ),
    async cronCreate({ workflow, dryRun, ...schedule }) {
      const request = { ...schedule, workflowKey: workflow, createdBy: userName(environment) };
      const made = await createSchedule(db, request, { dryRun });
      return viewOfSchedule(made, db.store.clock.now());
    },
    cronUpdate: async ({ dryRun, ...changes }) =>
      viewOfSchedule(await updateSchedule(db, changes, { dryRun }), db.store.clock.now()),
    async cronDelete({ cronId, dryRun = false }) {
      await deleteSchedule(db, cronId, { dryRun });
      return { cronId, removed: !dryRun };
    },
    async cronRun({ dryRun = false, ...request }) {
      const auth = { triggeredBy: userName(environment), role: "operator", scopes: ["*"] };
      return viewOfOccurrence(await requestScheduledRun(db, { ...request, auth }, { dryRun }));
    },
  };
}
