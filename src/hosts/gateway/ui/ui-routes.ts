import type { Hono } from "hono";
import type { GatewayParts } from "../gateway-parts.js";

/** The pages of the gateway, of its workflows and of the operator. */
export function addUiRoutes(_app: Hono, _parts: GatewayParts): void {}
