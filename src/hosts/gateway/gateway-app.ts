import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono, MiddlewareHandler } from "hono";
import { z } from "zod";
import { ensureError } from "../../errors/ensure-error.js";
import { prometheusContentType, renderCurrentMetrics } from "../../observability/prometheus.js";
import { createBaseApp } from "../http/base-app.js";
import { KEY_HEADER } from "../http/bearer-token.js";
import { describeFailure } from "../http/error-response.js";
import { jsonResponse } from "../http/json-response.js";
import { loadCors } from "../http/load-hono.js";
import { healthResponse } from "../http/readiness.js";
import { readJson } from "../http/read-json.js";
import { type PresentedCredentials, refuseOrigin } from "./auth/authenticator.js";
import type { Caller } from "./caller.js";
import { describeHost } from "./describe-host.js";
import type { GatewayParts } from "./gateway-parts.js";
import { countCall } from "./rpc/count-call.js";
import { callMethod, requireScope } from "./rpc/call-method.js";
import { addUiRoutes } from "./ui/ui-routes.js";
import { addWebhookRoutes } from "./webhooks/webhook-routes.js";

/** The HTTP side of a gateway. */
export function createGatewayApp(parts: GatewayParts): Hono {
  const app = createBaseApp({ onFailure: (error) => parts.onFailure(error) });
  const { authenticator } = parts;
  addWebhookRoutes(app, parts);
  app.use((c, next) => {
    refuseOrigin(authenticator, c.req.raw.headers);
    return next();
  });
  const { allowedOrigins = [] } = parts.options.auth ?? parts.options;
  if (allowedOrigins.length > 0) app.use(letPagesCall(allowedOrigins));
  app.get("/health", async (c) => healthResponse(await describeHost(parts, await callerOrNull(parts, c))));
  addUiRoutes(app, parts);
  const identified = identify(parts);
  app.get("/metrics", identified, async (c) => {
    requireScope(callerOf(c), "run:read", "/metrics");
    return c.body(await renderCurrentMetrics(), 200, { "Content-Type": prometheusContentType });
  });
  app.get("/workflows", identified, async (c) =>
    jsonResponse(await callMethod(parts, { name: "listWorkflows", params: {}, caller: callerOf(c) })),
  );
  addRpcRoutes(app, parts, identified);
  // Callers who are not let in learn nothing about which paths exist.
  app.use(identified);
  return app;
}

/**
 * Pages of these origins may read answers. They send their credentials themselves, as the client does: cookies of
 * theirs count for nothing here.
 */
function letPagesCall(origin: string[]): MiddlewareHandler {
  const allowHeaders = ["Authorization", "Content-Type", KEY_HEADER];
  return loadCors().cors({ origin, allowMethods: ["GET", "POST"], allowHeaders, maxAge: 600 });
}

const envelope = z.strictObject({
  id: z.union([z.string().max(128), z.number()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

function addRpcRoutes(app: Hono, parts: GatewayParts, identified: MiddlewareHandler): void {
  const maxBytes = parts.options.maxBodyBytes;
  app.post("/v1/rpc/:method", identified, async (c) => {
    const params = await readJson(c, { schema: z.unknown(), maxBytes });
    return jsonResponse(await call(c, c.req.param("method"), params));
  });
  app.post("/rpc", identified, async (c) => {
    const { id = null, method, params } = await readJson(c, { schema: envelope, maxBytes });
    try {
      return jsonResponse({ id, ok: true, payload: await call(c, method, params) });
    } catch (error) {
      const { status, body } = describeFailure(error);
      if (status === 500) parts.onFailure(ensureError(error));
      return jsonResponse({ id, ok: false, ...body }, { status });
    }
  });
  const call = async (c: Context, name: string, params: unknown) =>
    (await countCall(parts, name, () =>
      callMethod(parts, { name, params, caller: callerOf(c), signal: () => c.req.raw.signal }),
    )) ?? null;
}

/** Refuses unknown callers. */
export function identify({ authenticator }: GatewayParts): MiddlewareHandler {
  return async (c, next) => {
    c.set("caller", await authenticator.identify(credentialsOf(c)));
    await next();
  };
}

function credentialsOf(c: Context): PresentedCredentials {
  // Absent for a request that did not come by a connection of this process's own.
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return { headers: c.req.raw.headers, peer: incoming?.socket.remoteAddress };
}

/** Behind `identify`. */
function callerOf(c: Context): Caller {
  return c.get("caller") as Caller;
}

async function callerOrNull({ authenticator }: GatewayParts, c: Context): Promise<Caller | null> {
  try {
    return await authenticator.identify(credentialsOf(c));
  } catch {
    return null;
  }
}
