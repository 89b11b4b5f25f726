import type { RpcMethod } from "../method.js";

/** Schedules. */
export const cronMethods: Readonly<Record<string, RpcMethod>> = {};
