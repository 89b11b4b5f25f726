import type { NamedLimit, NamedLimits } from "../model/named-limit.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";

const LIMIT_RULES = {
  concurrency: rules.positiveInteger,
  perMinute: rules.positiveInteger,
} satisfies rules.OptionRules<NamedLimit>;

/** A copy that no caller can change. @throws INVALID_INPUT naming the limit and what is wrong with it */
export function checkedLimits(limits: NamedLimits): NamedLimits {
  const checked: Record<string, NamedLimit> = {};
  for (const [name, limit] of Object.entries(limits)) {
    if (name === "") refuseOption("limits", "limits with names that are not empty", name);
    checkOptions({ of: `the limit ${JSON.stringify(name)}`, at: `limits.${name}` }, limit, LIMIT_RULES);
    if (limit.concurrency === undefined && limit.perMinute === undefined) {
      refuseOption(`limits.${name}`, "`concurrency`, `perMinute` or both", limit);
    }
    checked[name] = { ...limit };
  }
  return checked;
}
