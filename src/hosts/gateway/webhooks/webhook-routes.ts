import type { Hono } from "hono";
import type { GatewayParts } from "../gateway-parts.js";

/** `POST /webhooks/<key>` of the workflows that are registered with a webhook. */
export function addWebhookRoutes(_app: Hono, _parts: GatewayParts): void {}
