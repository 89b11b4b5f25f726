import { setMaxListeners } from "node:events";
import type { Server } from "node:http";
import { ServiceError } from "../../errors/service-error.js";
import { prometheusContentType, renderCurrentMetrics } from "../../observability/prometheus.js";
import { readVersion } from "../../process/installation.js";
import { ServiceDb } from "../../store/index.js";
import { answerHandlers } from "../http/answers.js";
import { createBaseApp } from "../http/base-app.js";
import { requireToken } from "../http/bearer-token.js";
import { healthResponse, readinessOf } from "../http/readiness.js";
import { listen, warnOfOpenHost } from "../http/listen.js";
import { requireOwnPage } from "../http/loopback.js";
import { addListRoutes } from "./list-routes.js";
import { checkServerOptions, type ServerOptions } from "./server-options.js";
import { addRunRoutes } from "./run-routes.js";
import { ServedRuns } from "./served-runs.js";

/**
 * An HTTP server that starts, shows and answers runs of workflow files; docs/server.md
 * describes its routes. It listens when the call returns. Closing it releases its runs,
 * which stay resumable.
 *
 * @throws INVALID_INPUT for an option; SERVER_INSECURE_BIND for a host beyond this machine without a token
 * @example
 * const server = startServer({ port: 7331, rootDir: "workflows", db: workflow.db });
 * process.once("SIGTERM", () => server.close());
 */
export function startServer(opts: ServerOptions = {}): Server {
  const options = checkServerOptions(opts);
  const { authToken, maxBodyBytes, rootDir, allowNetwork, insecure } = options;
  const runs = new ServedRuns({
    db: options.db === undefined ? undefined : new ServiceDb(options.db),
    rootDir,
    maxActiveRuns: options.maxActiveRuns,
    maxActiveTasks: options.maxActiveTasks,
    onError: options.onError,
  });
  const stop = new AbortController();
  // Each event stream listens.
  setMaxListeners(0, stop.signal);
  const onFailure = (error: Error) => options.onError(null, error);
  const app = createBaseApp({ onFailure });
  // Routes before a guard are open.
  app.get("/health", async () =>
    healthResponse({ ...(await readinessOf(runs.databases())), version: readVersion() }),
  );
  if (authToken !== undefined) app.use(requireToken(authToken));
  else warnOfOpenHost("The server");
  if (authToken === undefined && !insecure) app.use(requireOwnPage);
  app.get("/metrics", async (c) =>
    c.body(await renderCurrentMetrics(), 200, { "Content-Type": prometheusContentType }),
  );
  addListRoutes(app, runs.db);
  addRunRoutes(app, {
    runs,
    maxBodyBytes,
    runOptions: { rootDir: rootDir ?? process.cwd(), allowNetwork },
    signal: stop.signal,
    onFailure,
  });
  const { approve, deny, signal } = answerHandlers({
    answering: (runId) => runs.answering(runId),
    maxBodyBytes,
  });
  app.post("/v1/runs/:runId/nodes/:nodeId/approve", (c) => approve(c, c.req.param("runId")));
  app.post("/v1/runs/:runId/nodes/:nodeId/deny", (c) => deny(c, c.req.param("runId")));
  app.post("/v1/runs/:runId/signals/:name", (c) => signal(c, c.req.param("runId")));
  return listen(app, options, async () => {
    stop.abort(new ServiceError("PROCESS_ABORTED", "The server closes."));
    await runs.close();
  });
}
