/** Why a tool failed, as far as it makes a difference to what happens next. */
export type FailureKind =
  /** The account's limit is reached: another agent, or later. */
  | "quota"
  /** Not signed in, or the key is refused. */
  | "auth"
  /** A flag or a setting that the tool does not take. */
  | "flag"
  | "model"
  /** The conversation to continue is not there. */
  | "session"
  /** A limit of the caller's own, such as a budget. */
  | "limit"
  /** The model declines to answer. */
  | "refused"
  /** Passes by itself. */
  | "transient";

export interface FailurePattern {
  kind: FailureKind;
  pattern: RegExp;
}

/**
 * Wordings that the tools share, since they pass on what model providers say. The first match counts,
 * so the specific come before the general. Patterns of an engine are looked at before these.
 */
export const COMMON_FAILURES: readonly FailurePattern[] = [
  {
    kind: "session",
    pattern:
      /no conversation found|no rollout found|no session found|session (?:"[^"]*" |'[^']*' )?not found|(?:conversation|thread) \S+ not found|error resuming session|no previous sessions?|session id \S+ is already in use/i,
  },
  {
    kind: "flag",
    pattern:
      /unknown (?:option|argument|flag)|unexpected argument|unrecognized (?:option|argument)|no such option|flag provided but not defined|invalid (?:value|choice|argument) (?:for|of|:)|(?:option|argument)s? .{0,60}(?:is|are) (?:invalid|not allowed)|cannot be used with|cannot combine/i,
  },
  {
    kind: "refused",
    pattern:
      /violates? (?:our|the) (?:usage|content) polic|content_policy_violation|content_filter\b|blocked by [^.\n]{0,40}content filter|safety policy blocked/i,
  },
  {
    kind: "model",
    pattern:
      /issue with the selected model|model_not_found|modelnotfound|invalid model|unknown model|no such model|\bmodels?\b[^.\n]{0,80}(?:does not exist|not found|is not (?:supported|available)|no longer available|not exist)/i,
  },
  {
    kind: "quota",
    pattern:
      /usage[_ ]limit|hit your (?:\w+ ){0,2}limit|limit reached|quota[_ ](?:reached|exceeded|exhausted|limit)|(?:exceeded|exhausted|reached) (?:your|the|its) (?:\w+ )?(?:quota|capacity)|insufficient[_ ](?:quota|credits?|balance|funds)|credit balance|credits balance|out of (?:\w+ )?credits|payment required|exceeded_current_quota|rate[_ -]?limit|too many requests|resource[_ ]exhausted|(?:status|code|error|http|api error)\W{0,12}(?:429|402)\b|\(429\)/i,
  },
  {
    kind: "auth",
    pattern:
      /not (?:logged|signed) in|run \/login|please (?:log|sign) in|log ?in required|invalid (?:\w+ )?api[ -_]?key|incorrect api key|invalid x-api-key|api[ _]key (?:is )?(?:not found|missing|required|not valid)|no api key|missing api key|authentication[_ ](?:failed|error|required|timed out)|unauthori[sz]ed|unauthenticated|invalid auth method|set an auth method|oauth token has expired|permission_error|permission_denied|llm not set|(?:status|code|error|http|api error)\W{0,12}(?:401|403)\b/i,
  },
  {
    kind: "transient",
    pattern:
      /overloaded|temporarily unavailable|internal server error|bad gateway|service unavailable|gateway time-?out|econnreset|etimedout|socket hang up|stream (?:disconnected|closed)|network error/i,
  },
];

/** Kinds of HTTP statuses that a tool reports along with its message. */
export function kindOfStatus(status: number): FailureKind | undefined {
  if (status === 429 || status === 402) return "quota";
  if (status === 401 || status === 403) return "auth";
  return status >= 500 || status === 408 ? "transient" : undefined;
}
