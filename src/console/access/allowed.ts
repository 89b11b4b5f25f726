import { useMethod } from "../../react/index.js";
import type { GatewayMethodName } from "../../client/index.js";

/** Looked at rarely: rights change with the token, and a new token is a new page. */
const LOOK_MS = 60_000;

/** What the caller may do, as the gateway says; until it has, everything: it decides anyway. */
export function useAllowed(): {
  missing(method: GatewayMethodName): string | undefined;
  caller: string | null;
} {
  const { data } = useMethod("health", {}, { pollMs: LOOK_MS });
  return {
    missing: (method) => data?.missingScopes[method],
    caller: data?.caller ?? null,
  };
}
