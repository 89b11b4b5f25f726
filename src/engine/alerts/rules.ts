import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import {
  ALERT_CONDITIONS,
  type AlertCondition,
  type AlertDefaults,
  type AlertHandler,
  type AlertPolicy,
  type AlertReaction,
  type AlertSeverity,
} from "../../model/alert.js";
import { once } from "../../util/once.js";

/** A rule with everything it inherits filled in. */
export interface ResolvedRule extends AlertDefaults {
  name: string;
  condition: AlertCondition;
  severity: AlertSeverity;
  afterMs: number;
  reaction: AlertReaction;
}

const PLAIN_KINDS = ["emit-only", "pause", "cancel", "open-approval"] as const;

const policySchema = once(() => {
  const details = {
    owner: z.string().optional(),
    severity: z.enum(["info", "warning", "critical"]).optional(),
    runbook: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  };
  const reaction = z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(PLAIN_KINDS) }),
    z.strictObject({ kind: z.literal("deliver"), destination: z.string().min(1) }),
  ]);
  return z.strictObject({
    defaults: z.strictObject(details).optional(),
    rules: z
      .record(
        z.string(),
        z.strictObject({
          ...details,
          afterMs: z.number().nonnegative().optional(),
          reaction: z.union([z.string(), reaction]).optional(),
        }),
      )
      .optional(),
    reactions: z.record(z.string(), reaction).optional(),
  });
});

/**
 * The rules of a policy, ready to be watched.
 * @throws ALERT_POLICY_INVALID naming the place in the policy
 */
export function resolveAlertPolicy(
  policy: AlertPolicy | undefined,
  handlers: Readonly<Record<string, AlertHandler>> = {},
): ResolvedRule[] {
  if (policy === undefined) return [];
  const parsed = policySchema().safeParse(policy);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    throw invalid(issues[0]?.path || "policy", issues[0]?.message ?? "wrong shape", issues);
  }
  const { defaults, rules = {}, reactions = {} } = policy;
  return Object.entries(rules).map(([name, { reaction: given = "emit-only", afterMs = 0, ...own }]) => {
    const condition = conditionOf(name, afterMs);
    const reaction = typeof given === "string" ? namedReaction(name, given, reactions) : given;
    if (reaction.kind === "deliver") checkDestination(name, reaction.destination, handlers);
    return { severity: "warning", ...defaults, ...own, name, condition, afterMs, reaction };
  });
}

function conditionOf(name: string, afterMs: number): AlertCondition {
  const condition = name.split("/", 1)[0] as AlertCondition;
  if (!Object.hasOwn(ALERT_CONDITIONS, condition)) {
    throw invalid(
      `rules.${name}`,
      `there is no such condition; known are ${Object.keys(ALERT_CONDITIONS).join(", ")}`,
    );
  }
  if (afterMs > 0 && !ALERT_CONDITIONS[condition].lasts) {
    throw invalid(`rules.${name}.afterMs`, `${condition} happens in a moment and does not last`);
  }
  return condition;
}

function namedReaction(rule: string, name: string, reactions: Record<string, AlertReaction>): AlertReaction {
  const known = Object.hasOwn(reactions, name) ? reactions[name] : undefined;
  if (known !== undefined) return known;
  const kind = PLAIN_KINDS.find((plain) => plain === name);
  if (kind !== undefined) return { kind };
  const names = [...Object.keys(reactions), ...PLAIN_KINDS].join(", ");
  throw invalid(`rules.${rule}.reaction`, `"${name}" is not one of the reactions ${names}`);
}

function checkDestination(
  rule: string,
  destination: string,
  handlers: Readonly<Record<string, AlertHandler>>,
): void {
  if (Object.hasOwn(handlers, destination)) return;
  if (isWebAddress(destination)) {
    const { username, password } = new URL(destination);
    if (username === "" && password === "") return;
    throw invalid(
      `rules.${rule}.reaction.destination`,
      "it holds a user name or password; use one of alertHandlers to send credentials",
    );
  }
  throw invalid(
    `rules.${rule}.reaction.destination`,
    "it is neither an http(s) URL nor the name of one of alertHandlers",
  );
}

/** A handler's name, or scheme and host: path and query of a webhook often are its password. */
export function shownDestination(destination: string): string {
  return isWebAddress(destination) ? new URL(destination).origin : destination;
}

export function isWebAddress(destination: string): boolean {
  return /^https?:\/\//.test(destination) && URL.canParse(destination);
}

function invalid(path: string, problem: string, issues = [{ path, message: problem }]): ServiceError {
  return new ServiceError("ALERT_POLICY_INVALID", `alertPolicy, ${path}: ${problem}.`, {
    details: { issues },
    retryable: false,
  });
}
