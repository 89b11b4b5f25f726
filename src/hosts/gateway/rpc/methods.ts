import type { RpcMethod } from "./method.js";
import { cronMethods } from "./methods/cron.js";
import { hostMethods } from "./methods/host.js";

/** Every method of a gateway, by name; docs/gateway.md lists them. */
export const METHODS: Readonly<Record<string, RpcMethod>> = {
  ...hostMethods,
  ...cronMethods,
};
