import { createContext, createElement, useContext, useMemo } from "react";
import { ClientError, type GatewayClient } from "../client/index.js";
import type { WorkflowElement } from "../util/element.js";
import { SharedReads } from "./shared-reads.js";

/** Props of `ClientProvider`. */
export interface ClientProviderProps {
  /** Of `createClient`; its creator closes it. */
  client: GatewayClient;
  /** The components that may use the hooks. */
  children?: unknown;
}

interface Provided {
  client: GatewayClient;
  reads: SharedReads;
}

const Context = createContext<Provided | null>(null);

/**
 * Gives the hooks below it a client; they share its connection and what it reads.
 * @example
 * <ClientProvider client={client}><Runs /></ClientProvider>
 */
export function ClientProvider({ client, children }: ClientProviderProps): WorkflowElement {
  const value = useMemo(() => ({ client, reads: new SharedReads(client) }), [client]);
  return createElement(Context.Provider, { value }, children as never);
}

/** The client of the nearest provider. @throws INVALID_INPUT outside of one */
export function useClient(): GatewayClient {
  return useProvided().client;
}

export function useProvided(): Provided {
  const provided = useContext(Context);
  if (provided !== null) return provided;
  throw new ClientError({
    code: "INVALID_INPUT",
    message: "The hooks of treadle/react work below a <ClientProvider client={…}> only.",
  });
}
