import type { Hono, MiddlewareHandler } from "hono";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import { spanExports } from "../../observability/trace/span-exports.js";
import { parseTraceparent } from "../../tracing/span-context.js";
import { isTracing, withSpanContext } from "../../tracing/tracer.js";
import { errorResponse } from "./error-response.js";
import { loadHono } from "./load-hono.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

export interface BaseAppOptions {
  /** Notified of errors that are the host's own and no client's. */
  onFailure?(error: Error): void;
}

/** An app that counts its requests, tells browsers to keep nothing, and answers every error in one form. */
export function createBaseApp({ onFailure }: BaseAppOptions = {}): Hono {
  const { Hono } = loadHono();
  // Before the first request: its trace is one to continue.
  spanExports.beginAsEnvironmentSays();
  const app = new Hono();
  app.use(measureRequests, continueTrace, safeHeaders, throwErrors);
  app.onError((error) => {
    const response = errorResponse(error);
    // Other statuses of a server, such as 503, are no fault of its own.
    if (response.status === 500) onFailure?.(error);
    return response;
  });
  app.notFound((c) => {
    const { method, path } = c.req;
    const allowed = verbsOf(app, path);
    if (allowed.length === 0 || allowed.includes(method)) {
      return errorResponse(new ServiceError("ROUTE_NOT_FOUND", `There is no ${method} ${path} here.`));
    }
    const allow = allowed.join(", ");
    const summary = `${path} takes ${allow}, not ${method}.`;
    return errorResponse(new ServiceError("VERB_NOT_ALLOWED", summary, { details: { allow: allowed } }), {
      Allow: allow,
    });
  });
  return app;
}

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** HTTP methods that a route of the app answers at this path. Handlers for every method only look at requests. */
function verbsOf(app: Hono, path: string): string[] {
  return VERBS.filter((verb) => {
    // A HEAD is a GET whose body is left out.
    const [found] = app.router.match(verb === "HEAD" ? "GET" : verb, path);
    return found.some(([[, route]]) => route.method !== "ALL");
  });
}

const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  // In place: `c.header` would make the answer, with the stream of its body, anew each time.
  const { headers } = c.res;
  // Files whose names change with their content say themselves that they may be kept.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
};

/** Foreign handlers may throw any value; the framework leaves one that is no Error without an answer. */
const throwErrors: MiddlewareHandler = async (_c, next) => {
  try {
    await next();
  } catch (thrown) {
    throw ensureError(thrown);
  }
};

/** Work that a request starts belongs to the caller's trace, and never to that of this process's starter. */
const continueTrace: MiddlewareHandler = (c, next) =>
  isTracing() ? withSpanContext(parseTraceparent(c.req.header("traceparent")) ?? null, next) : next();

const measureRequests: MiddlewareHandler = async (c, next) => {
  const begun = monotonicMs();
  await next();
  const { status } = c.res;
  const labels = {
    method: c.req.method,
    route: routeOf(c.req.matchedRoutes),
    status_class: `${Math.floor(status / 100)}xx`,
    status_code: String(status),
  };
  serviceMetrics.httpRequests.add(1, labels);
  serviceMetrics.httpRequestDurationMs.observe(monotonicMs() - begun, labels);
};

/** The template of the route that answered, as the request itself has it: the app may be a part of one of another copy of the framework; paths as they were asked for could be of any number. */
function routeOf(matched: readonly { path: string; method: string }[]): string {
  return matched.findLast(({ method }) => method !== "ALL")?.path ?? "other";
}
