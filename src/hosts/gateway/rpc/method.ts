import type { z } from "zod";
import type { GatewayMethodName, GatewayMethods } from "../../../client/gateway-methods.js";
import type { Caller, GatewayScope } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";

export interface MethodContext extends GatewayParts {
  readonly caller: Caller;
  /** The gateway's methods. */
  methodNames(): readonly string[];
  /** Of the methods that the caller may not use: the first scope that is missing. */
  missingScopes(): Record<string, string>;
}

/** A method that clients call by name, over HTTP and WebSocket alike. */
export interface RpcMethod<P = unknown, R = unknown> {
  /** Null: everybody who is let in. Of several, all are needed. */
  readonly scope: GatewayScope | readonly GatewayScope[] | null;
  readonly params: z.ZodType<P>;
  /** JSON. */
  handle(params: P, ctx: MethodContext): Promise<R>;
}

/** Keeps the types of params and result together. */
export function method<P, R>(definition: RpcMethod<P, R>): RpcMethod<P, R> {
  return definition;
}

type Members<T> = T extends unknown ? keyof T : never;
type IfSame<A, B> = [A, B, Members<A>, Members<B>] extends [B, A, Members<B>, Members<A>] ? B : never;

/** Methods whose params and results are those of the clients' table, no member more or less; `never` where they differ. */
export type AsTold<Table> = {
  readonly [M in GatewayMethodName]: M extends keyof Table
    ? Table[M] extends RpcMethod<infer P, infer R>
      ? RpcMethod<IfSame<P, GatewayMethods[M]["params"]>, IfSame<R, GatewayMethods[M]["result"]>>
      : never
    : never;
};
