import { setMaxListeners } from "node:events";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { prometheusContentType, renderCurrentMetrics } from "../../observability/prometheus.js";
import { cancelRun, getFrame, getRun, listFrames, RunFeeds, showWaits } from "../../operations/index.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { ServiceDb } from "../../store/index.js";
import { answerHandlers } from "../http/answers.js";
import { createBaseApp } from "../http/base-app.js";
import { requireToken } from "../http/bearer-token.js";
import { eventStream } from "../http/event-stream.js";
import { logHostFailure } from "../http/log-host-failure.js";
import { outputStream } from "../http/output-stream.js";
import { requireOwnPage } from "../http/loopback.js";
import { healthResponse, readinessOf } from "../http/readiness.js";
import { readJson } from "../http/read-json.js";
import { cancelBody, framesQuery, readQuery } from "../http/run-requests.js";
import { ServedRun } from "./served-run.js";
import { jsonResponse } from "../http/json-response.js";

/** A web app as most servers and frameworks take it in: a function from requests to responses. It is made with Hono. */
export interface ServeApp {
  /** Answers a request; independent of `this`, so that it can be passed on: `outer.mount("/run", app.fetch)`. */
  fetch(request: Request): Response | Promise<Response>;
  /** Answers a request to this path of the app, for tests and for calls within a process. */
  request(path: string, init?: RequestInit): Response | Promise<Response>;
}

/** The run that is served, and to whom. */
export interface ServeOptions {
  /** The loaded workflow. */
  workflow: ServiceWorkflow;
  /** Made of the workflow's `db`: `new ServiceDb(workflow.db)`. */
  adapter: ServiceDb;
  /** The run that is served; it may begin after the app is made. */
  runId: string;
  /**
   * Cancels the served run when it is aborted. With a ServiceError `PROCESS_ABORTED` as its
   * reason the app only ends its streams and leaves the run resumable.
   */
  abort: AbortController;
  /**
   * Token that every route except `/health` requires, as a bearer token or in `x-service-key`.
   * @default the environment variable SERVICE_API_KEY; without either, everybody on this machine is let in
   */
  authToken?: string;
  /** Whether `/metrics` is there. @default true */
  metrics?: boolean;
  /** Without a token, answer requests of other machines as well: something in front guards the app. @default false */
  insecure?: boolean;
  /** Whether the app continues with the run once it is answered and no process drives it. @default true */
  resumes?: boolean;
}

const RULES = {
  workflow: rules.required(rules.record),
  adapter: rules.required(rules.checked("a ServiceDb", (value) => value instanceof ServiceDb)),
  runId: rules.required(rules.name),
  abort: rules.required(rules.checked("an AbortController", (value) => value instanceof AbortController)),
  authToken: rules.secret(rules.name),
  metrics: rules.withDefault(rules.flag, true),
  insecure: rules.withDefault(rules.flag, false),
  resumes: rules.withDefault(rules.flag, true),
} satisfies rules.OptionRules<ServeOptions>;

/** A request body is a decision, a signal or a reason. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * One run as a web app: its state, events, frames and graph, and what it is answered with.
 * docs/server.md describes the routes. It needs no port: `app.fetch(request)` answers, and a
 * larger app takes it in with `mount`.
 *
 * @throws INVALID_INPUT for an option
 * @example
 * const abort = new AbortController();
 * const app = createServeApp({ workflow, adapter: new ServiceDb(workflow.db), runId, abort });
 * const response = await app.request("/");
 */
export function createServeApp(opts: ServeOptions): ServeApp {
  const checked = checkOptions("createServeApp", opts, RULES);
  const { workflow, adapter: db, runId, abort, metrics, insecure } = checked;
  const authToken = checked.authToken ?? (process.env.SERVICE_API_KEY || undefined);
  const signal = releaseSignal(abort.signal);
  const served = new ServedRun(checked);
  showWaits(db.store);
  const feeds = new RunFeeds();
  const onFailure = (error: Error) => logHostFailure(null, error);
  const app = createBaseApp({ onFailure });
  // Routes before a guard are open.
  app.get("/health", async () => healthResponse(await readinessOf([db])));
  if (authToken !== undefined) app.use(requireToken(authToken));
  else if (!insecure) app.use(requireOwnPage);
  if (metrics) {
    app.get("/metrics", async (c) =>
      c.body(await renderCurrentMetrics(), 200, { "Content-Type": prometheusContentType }),
    );
  }
  app.get("/", async () => jsonResponse(await getRun(db, runId)));
  app.get("/events", (c) => eventStream(c, { feeds, db, runId, signal, onFailure }));
  app.get("/output", (c) => outputStream(c, { feeds, db, runId, signal, onFailure }));
  app.get("/frames", async (c) =>
    jsonResponse({ frames: await listFrames(db, runId, readQuery(c, framesQuery())) }),
  );
  app.get("/graph", async () => {
    const { frameNo } = await getRun(db, runId);
    return jsonResponse(await getFrame(db, runId, frameNo));
  });
  app.post("/cancel", async (c) => {
    const { reason } = await readJson(c, { schema: cancelBody(), maxBytes: MAX_BODY_BYTES });
    const result = await cancelRun(db, { runId, ...(reason !== undefined && { reason }) });
    abort.abort(new ServiceError("RUN_CANCELLED", reason ?? "The run was cancelled by request."));
    return jsonResponse(result);
  });
  const {
    approve,
    deny,
    signal: takeSignal,
  } = answerHandlers({
    answering: async () => ({ target: workflow, answered: () => served.answered() }),
    maxBodyBytes: MAX_BODY_BYTES,
  });
  app.post("/approve/:nodeId", (c) => approve(c, runId));
  app.post("/deny/:nodeId", (c) => deny(c, runId));
  app.post("/signal/:name", (c) => takeSignal(c, runId));
  return app;
}

/** Fires when the run is released. One that is cancelled ends its streams by itself, with the event that says so. */
function releaseSignal(abort: AbortSignal): AbortSignal {
  const release = new AbortController();
  // Each event stream listens.
  setMaxListeners(0, release.signal);
  const hear = () => {
    if (ServiceError.is(abort.reason, "PROCESS_ABORTED")) release.abort(abort.reason);
  };
  if (abort.aborted) hear();
  else abort.addEventListener("abort", hear, { once: true });
  return release.signal;
}
