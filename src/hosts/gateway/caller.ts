import type { RunDecider } from "../../model/run.js";
import type { RunAuthContext } from "../../model/run-auth.js";

export const SCOPES = [
  "run:read",
  "run:write",
  "run:admin",
  "approval:submit",
  "signal:submit",
  "cron:read",
  "cron:write",
] as const;

/** A scope that a method requires of its caller. */
export type GatewayScope = (typeof SCOPES)[number];

/** Who sent a request. */
export interface Caller {
  role: string;
  /** As granted: `*` is everything, others may imply more. */
  scopes: readonly string[];
  userId: string | null;
  tokenId: string | null;
  /** Who, in the words that runs and decisions keep. */
  triggeredBy: string;
  /** False of everybody whom a gateway without `auth` lets in. */
  isAuthenticated: boolean;
}

/** Whom a gateway without `auth` lets in. */
export const ANY_CALLER: Caller = {
  role: "operator",
  scopes: ["*"],
  userId: null,
  tokenId: null,
  triggeredBy: "gateway",
  isAuthenticated: false,
};

/** The scopes that each of these contains. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  "run:admin": ["run:write", "run:read"],
  "run:write": ["run:read"],
  "cron:write": ["cron:read"],
};

/** Whether the caller's grants contain the scope. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, wanted: string): boolean {
  return scopes.some(
    (scope) =>
      scope === "*" ||
      scope === wanted ||
      (Object.hasOwn(IMPLIED, scope) && IMPLIED[scope]?.includes(wanted) === true),
  );
}

/** Who the caller is to requests, as a decision of theirs would be judged. */
export function asDecider(caller: Caller): RunDecider {
  const { isAuthenticated, userId, triggeredBy, scopes } = caller;
  if (!isAuthenticated) return { scopes: [] };
  const implied = scopes.flatMap((scope) => (Object.hasOwn(IMPLIED, scope) ? (IMPLIED[scope] ?? []) : []));
  return {
    decidedBy: userId ?? triggeredBy,
    scopes: scopes.includes("*") ? "all" : [...scopes, ...implied],
  };
}

/** The first scope that the caller lacks of those that are needed; undefined when there is none. */
export function missingScope(
  caller: Caller,
  needed: GatewayScope | readonly GatewayScope[] | null,
): GatewayScope | undefined {
  return [needed ?? []].flat().find((wanted) => !hasScope(caller, wanted));
}

/** The `ctx.auth` of a run that the caller starts; null for an unknown caller. */
export function runAuth(caller: Caller, nowMs: number): RunAuthContext | null {
  if (!caller.isAuthenticated) return null;
  const { triggeredBy, role, scopes } = caller;
  return { triggeredBy, role, scopes: [...scopes], createdAt: new Date(nowMs).toISOString() };
}
