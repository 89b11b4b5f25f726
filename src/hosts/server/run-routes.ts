import type { Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { RunOptions } from "../../model/run-options.js";
import {
  cancelRun,
  getNode,
  toRunDetail,
  listFrames,
  refuseReservedRunId,
  RunFeeds,
} from "../../operations/index.js";
import { eventStream } from "../http/event-stream.js";
import { outputStream } from "../http/output-stream.js";
import { given } from "../http/given.js";
import { readJson } from "../http/read-json.js";
import { cancelBody, framesQuery, nodeQuery, queueOption, readQuery } from "../http/run-requests.js";
import type { ServedRuns } from "./served-runs.js";
import { once } from "../../util/once.js";
import { jsonResponse } from "../http/json-response.js";

const startBody = once(() =>
  z.strictObject({
    workflowPath: z.string().min(1),
    input: z.record(z.string(), z.unknown()).optional(),
    runId: z.string().optional(),
    resume: z.boolean().optional(),
    config: z
      .strictObject({
        maxConcurrency: z.number().int().min(1).optional(),
        queue: queueOption(),
      })
      .optional(),
  }),
);

const resumeBody = once(() =>
  z.strictObject({
    /** For a run that does not say which file it belongs to, or whose file has moved. */
    workflowPath: z.string().min(1).optional(),
    force: z.boolean().optional(),
    acceptWorkflowChange: z.boolean().optional(),
  }),
);

export interface RunRouteOptions {
  runs: ServedRuns;
  maxBodyBytes: number;
  /** Options of every run of this server. */
  runOptions: Pick<RunOptions, "rootDir" | "allowNetwork">;
  signal: AbortSignal;
  /** Notified of errors that are the server's own and no client's. */
  onFailure(error: Error): void;
}

/** Starting, reading and ending runs. */
export function addRunRoutes(app: Hono, options: RunRouteOptions): void {
  const { runs, maxBodyBytes, runOptions, signal, onFailure } = options;
  app.post("/v1/runs", async (c) => {
    const {
      workflowPath,
      input = {},
      runId,
      resume,
      config,
    } = await readJson(c, {
      schema: startBody(),
      maxBytes: maxBodyBytes,
    });
    const { workflow, path } = await runs.load(workflowPath);
    if (resume === true) {
      if (runId === undefined) {
        throw new ServiceError("INVALID_INPUT", "The request does not fit: runId: a resume names its run.");
      }
      const { status } = await runs.hosted.resume(workflow, { runId, ...given(config ?? {}) });
      return jsonResponse({ runId, status });
    }
    refuseReservedRunId(runId);
    if (runId !== undefined) await runs.refuseTaken(runId, workflow);
    const { isNew, ...run } = await runs.hosted.start(workflow, {
      ...runOptions,
      ...(runId !== undefined && { runId }),
      ...given(config ?? {}),
      input,
      workflowPath: path,
    });
    return jsonResponse(run, { status: isNew ? 201 : 200 });
  });

  app.get("/v1/runs/:runId", async (c) => {
    const { run, db } = await runs.find(c.req.param("runId"));
    return jsonResponse(await toRunDetail(db.store, run, db.store.clock.now()));
  });

  app.post("/v1/runs/:runId/resume", async (c) => {
    const { workflowPath, ...options } = await readJson(c, { schema: resumeBody(), maxBytes: maxBodyBytes });
    const runId = c.req.param("runId");
    const { workflow } =
      workflowPath === undefined
        ? await runs.findWithWorkflow(runId, given(options))
        : await runs.load(workflowPath);
    const { status } = await runs.hosted.resume(workflow, { runId, ...options });
    return jsonResponse({ runId, status });
  });

  app.post("/v1/runs/:runId/cancel", async (c) => {
    const { reason } = await readJson(c, { schema: cancelBody(), maxBytes: maxBodyBytes });
    const { run, db } = await runs.find(c.req.param("runId"));
    return jsonResponse(await cancelRun(db, { runId: run.runId, ...(reason !== undefined && { reason }) }));
  });

  const feeds = new RunFeeds();
  app.get("/v1/runs/:runId/events", async (c) => {
    const { run, db } = await runs.find(c.req.param("runId"));
    return eventStream(c, { feeds, db, runId: run.runId, signal, onFailure });
  });

  app.get("/v1/runs/:runId/output", async (c) => {
    const { run, db } = await runs.find(c.req.param("runId"));
    return outputStream(c, { feeds, db, runId: run.runId, signal, onFailure });
  });

  app.get("/v1/runs/:runId/frames", async (c) => {
    const query = readQuery(c, framesQuery());
    const { run, db } = await runs.find(c.req.param("runId"));
    return jsonResponse({ frames: await listFrames(db, run.runId, query) });
  });

  app.get("/v1/runs/:runId/nodes/:nodeId", async (c) => {
    const { iteration } = readQuery(c, nodeQuery());
    const { run, db } = await runs.find(c.req.param("runId"));
    const request = { runId: run.runId, nodeId: c.req.param("nodeId") };
    return jsonResponse(await getNode(db, { ...request, ...(iteration !== undefined && { iteration }) }));
  });
}
