import type { Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { RUN_STATUSES } from "../../model/run.js";
import { LISTED_STATUSES, listRuns, pageApprovals } from "../../operations/index.js";
import type { ServiceDb } from "../../store/index.js";
import { pageQuery, readQuery } from "../http/run-requests.js";
import { once } from "../../util/once.js";
import { jsonResponse } from "../http/json-response.js";

const runsQuery = once(() =>
  pageQuery().extend({
    status: z.enum(RUN_STATUSES).optional(),
    workflow: z.string().min(1).optional(),
  }),
);

const approvalsQuery = once(() =>
  pageQuery().extend({
    status: z.enum(LISTED_STATUSES).optional(),
    workflow: z.string().min(1).optional(),
    runId: z.string().min(1).optional(),
  }),
);

/** Lists across runs; they need the server's `db`. */
export function addListRoutes(app: Hono, db: ServiceDb | undefined): void {
  app.get("/v1/runs", async (c) => {
    const { status, workflow, limit, cursor } = readQuery(c, runsQuery());
    return jsonResponse(
      await listRuns(configured(db), {
        limit,
        ...(status !== undefined && { statuses: [status] }),
        ...(workflow !== undefined && { workflowName: workflow }),
        ...(cursor !== undefined && { cursor }),
      }),
    );
  });

  app.get("/v1/approvals", async (c) => {
    const { status, workflow, runId, limit, cursor } = readQuery(c, approvalsQuery());
    const page = await pageApprovals(configured(db), {
      limit,
      ...(cursor !== undefined && { cursor }),
      ...(status !== undefined && { status }),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(runId !== undefined && { runId }),
    });
    return jsonResponse(page);
  });
}

/** @throws DB_NOT_CONFIGURED */
function configured(db: ServiceDb | undefined): ServiceDb {
  if (db !== undefined) return db;
  throw new ServiceError("DB_NOT_CONFIGURED", "This server has no database to list from.");
}
