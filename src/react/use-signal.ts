import { useCallback } from "react";
import type { GatewayMethods } from "../client/index.js";
import { useProvided } from "./client-provider.js";
import { type ActionState, useAction } from "./use-action.js";

type Signal = GatewayMethods["submitSignal"];

/** How to send a signal, and what became of the last one. */
export interface SignalHook extends ActionState<Signal["result"]> {
  /** @param signal its name: a Signal's `id`, a WaitForEvent's `event` */
  send(signal: string, data?: unknown, options?: { correlationId?: string }): Promise<Signal["result"]>;
}

/** Sends signals to a run. */
export function useSignal(runId: string): SignalHook {
  const { client, reads } = useProvided();
  const [send, state] = useAction(
    useCallback(
      async (signal: string, data?: unknown, options: { correlationId?: string } = {}) => {
        const result = await client.submitSignal({
          runId,
          signal,
          ...(data !== undefined && { data }),
          ...options,
        });
        reads.refresh();
        return result;
      },
      [client, reads, runId],
    ),
  );
  return { ...state, send };
}
