import type { z } from "zod";
import type { Caller, GatewayScope } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";

export interface MethodContext extends GatewayParts {
  readonly caller: Caller;
  /** What the gateway can be asked for. */
  readonly methodNames: readonly string[];
  /** Fires when the caller has gone or the gateway closes. */
  readonly callSignal: AbortSignal;
}

/** What clients call by name, over HTTP and WebSocket alike. */
export interface RpcMethod<P = never> {
  /** Null: everybody who is let in. */
  readonly scope: GatewayScope | null;
  readonly params: z.ZodType<P>;
  /** JSON. */
  handle(params: P, ctx: MethodContext): Promise<unknown>;
}

/** Keeps the type of the params together. */
export function method<P>(definition: RpcMethod<P>): RpcMethod {
  return definition as RpcMethod<unknown> as RpcMethod;
}
