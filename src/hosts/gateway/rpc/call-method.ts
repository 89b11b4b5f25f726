import { ServiceError } from "../../../errors/service-error.js";
import { shorten } from "../../../util/bounded-text.js";
import { checkJson } from "../../http/read-json.js";
import { type Caller, missingScope } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";
import type { MethodContext, RpcMethod } from "./method.js";
import { STREAMS } from "../socket/streams.js";
import { methodNames } from "./method-names.js";
import { missingScopes } from "./missing-scopes.js";
import { METHODS } from "./methods.js";

export interface MethodCall {
  name: string;
  /** As it was sent; undefined = none. */
  params: unknown;
  caller: Caller;
  /** Fires when the caller has gone. The signal of a request is made once it is asked for. */
  signal?(): AbortSignal;
}

/**
 * Calls a method for a caller who has been let in.
 * @throws METHOD_NOT_FOUND; FORBIDDEN with `details.requiredScope`; INVALID_INPUT for params that do not fit;
 * what the method throws
 */
export async function callMethod(parts: GatewayParts, call: MethodCall): Promise<unknown> {
  const { name, params = {}, caller } = call;
  const known = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (known !== undefined) {
    requireScope(caller, known.scope, name);
    const ctx: MethodContext = {
      caller,
      methodNames: () => methodNames(parts.extensions),
      missingScopes: () => missingScopes(caller, parts.extensions),
      ...parts,
    };
    return known.handle(checkJson(params, known.params, "params"), ctx);
  }
  const extension = parts.extensions.methods.get(name);
  if (extension !== undefined) {
    const { namespace, key, scope, handler } = extension;
    requireScope(caller, scope, name);
    const end = firstOf(parts.signal, call.signal?.());
    try {
      return await handler(params, { namespace, key, caller, signal: end.signal });
    } finally {
      end.release();
    }
  }
  if (Object.hasOwn(STREAMS, name) || parts.extensions.streams.has(name)) {
    throw new ServiceError("INVALID_INPUT", `${name} is a stream: it is opened over a WebSocket.`, {
      details: { method: name },
    });
  }
  throw new ServiceError("METHOD_NOT_FOUND", `There is no method ${JSON.stringify(shorten(name, 80))}.`, {
    details: { method: name.slice(0, 80) },
  });
}

/** @throws FORBIDDEN that names the first scope that is missing */
export function requireScope(caller: Caller, scope: RpcMethod["scope"], name: string): void {
  const missing = missingScope(caller, scope);
  if (missing === undefined) return;
  throw new ServiceError("FORBIDDEN", `${name} needs the scope ${missing}.`, {
    details: { method: name, requiredScope: missing },
  });
}

/**
 * Fires with the first of the signals. To be released: one of them outlives very many calls, and
 * `AbortSignal.any` of Node 20 would be remembered there for each.
 */
function firstOf(...signals: (AbortSignal | undefined)[]): { signal: AbortSignal; release(): void } {
  const first = new AbortController();
  const heard = signals.filter((signal) => signal !== undefined);
  const fire = ({ target }: Event) => first.abort((target as AbortSignal).reason);
  for (const signal of heard) {
    if (signal.aborted) first.abort(signal.reason);
    signal.addEventListener("abort", fire, { once: true });
  }
  return {
    signal: first.signal,
    release() {
      for (const signal of heard) signal.removeEventListener("abort", fire);
    },
  };
}
