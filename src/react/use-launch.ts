import { useCallback } from "react";
import type { GatewayMethods } from "../client/index.js";
import { useProvided } from "./client-provider.js";
import { type ActionState, useAction } from "./use-action.js";

type Launch = GatewayMethods["launchRun"];

/** How to start a run, and what became of the last start. */
export interface LaunchHook extends ActionState<Launch["result"]> {
  /** Starts a run; resolves once its first commit is made. */
  launch(params: Launch["params"]): Promise<Launch["result"]>;
}

/** Starts runs. */
export function useLaunch(): LaunchHook {
  const { client, reads } = useProvided();
  const [launch, state] = useAction(
    useCallback(
      async (params: Launch["params"]) => {
        const result = await client.launchRun(params);
        reads.refresh();
        return result;
      },
      [client, reads],
    ),
  );
  return { ...state, launch };
}
