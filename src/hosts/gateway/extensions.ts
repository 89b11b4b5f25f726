import { ServiceError } from "../../errors/service-error.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { type Caller, type GatewayScope, SCOPES } from "./caller.js";

/** The second argument of an extension's handler, beside its params. */
export interface ExtensionContext {
  namespace: string;
  key: string;
  /** Who calls: `isAuthenticated` is false of everybody whom a gateway without `auth` lets in. */
  caller: Caller;
  /** Fires when the caller has gone or the gateway closes. */
  signal: AbortSignal;
}

/** A query or an action of an extension. */
export interface ExtensionMethod {
  /** The scope that a caller must be granted. @default of an action "run:write", else "run:read" */
  scope?: GatewayScope;
  /** Its result is JSON. A ServiceError reaches the client with its code, anything else as INTERNAL_ERROR. */
  handler(params: unknown, ctx: ExtensionContext): unknown;
}

/** A stream of an extension. */
export interface ExtensionStream {
  /** @default "run:read" */
  scope?: GatewayScope;
  /** Each yielded value is sent as a frame; over WebSocket only. */
  handler(params: unknown, ctx: ExtensionContext): AsyncIterable<unknown>;
}

/** Methods of one's own: each is called `ext.<namespace>.<key>`. */
export interface GatewayExtension {
  queries?: Record<string, ExtensionMethod>;
  actions?: Record<string, ExtensionMethod>;
  streams?: Record<string, ExtensionStream>;
}

export interface Extended<T> {
  namespace: string;
  key: string;
  scope: GatewayScope;
  handler: T;
}

const NAME = /^[a-z][A-Za-z0-9_-]{0,63}$/;

const RULES = {
  queries: rules.record,
  actions: rules.record,
  streams: rules.record,
} satisfies rules.OptionRules<GatewayExtension>;

const ENTRY_RULES = {
  scope: rules.oneOf(SCOPES),
  handler: rules.required(rules.callback),
} satisfies rules.OptionRules<ExtensionMethod>;

/** The extensions that `extend` has added, by method name. */
export class Extensions {
  readonly methods = new Map<string, Extended<ExtensionMethod["handler"]>>();
  readonly streams = new Map<string, Extended<ExtensionStream["handler"]>>();
  readonly #namespaces = new Set<string>();

  /** @throws INVALID_INPUT for a name or definition that is not as described, or a name that is taken */
  add(namespace: string, extension: GatewayExtension): void {
    if (typeof namespace !== "string" || !NAME.test(namespace))
      refuseOption("namespace", `a name such as ${NAME}`, namespace);
    if (this.#namespaces.has(namespace)) {
      throw new ServiceError("INVALID_INPUT", `There is an extension ${namespace} already.`, {
        details: { namespace },
      });
    }
    checkOptions(`extension ${namespace}`, extension, RULES);
    const { queries = {}, actions = {}, streams = {} } = extension;
    const keys = [queries, actions, streams].flatMap((entries) => Object.keys(entries));
    for (const key of keys) {
      if (!NAME.test(key)) refuseOption(`${namespace}.${key}`, `a name such as ${NAME}`, key);
      if (keys.indexOf(key) !== keys.lastIndexOf(key))
        refuseOption(`${namespace}.${key}`, "a name that is used once", key);
    }
    for (const entries of [queries, actions, streams]) {
      for (const [key, entry] of Object.entries(entries))
        checkOptions(`${namespace}.${key}`, entry as ExtensionMethod, ENTRY_RULES);
    }
    this.#namespaces.add(namespace);
    const put = <T extends (...args: never[]) => unknown>(
      to: Map<string, Extended<T>>,
      entries: Record<string, { scope?: GatewayScope; handler: T }>,
      scope: GatewayScope,
    ) => {
      for (const [key, entry] of Object.entries(entries)) {
        to.set(`ext.${namespace}.${key}`, {
          namespace,
          key,
          scope: entry.scope ?? scope,
          handler: entry.handler.bind(entry) as T,
        });
      }
    };
    put(this.methods, queries, "run:read");
    put(this.methods, actions, "run:write");
    put(this.streams, streams, "run:read");
  }
}
