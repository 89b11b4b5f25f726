import type { AspectsSpec } from "../../model/graph.js";
import type { HostElement } from "../../model/host-node.js";
import { defaultId } from "../../model/place.js";
import type { GroupRule } from "../element-rule.js";
import { invalid, readMembers, readObject } from "../props.js";
import { groupId, planInSequence, withSkip } from "./arrangement.js";

/** The budgets go to the frame; the tasks inside name the elements that count for them. */
export const aspectsRule: GroupRule = {
  kind: "group",
  attributes: ["tokenBudget", "latencySlo", "tracking", "skipIf"],
  enter({ element, around, facts }) {
    facts.address = groupId(element, around) ?? defaultId("aspects", element.path);
    facts.aspects = readAspects(element);
    return withSkip({ ...around, aspectIds: [...around.aspectIds, facts.address] }, element);
  },
  plan: planInSequence,
};

function readAspects(element: HostElement): AspectsSpec {
  const spec: AspectsSpec = { tracking: readTracking(element) };
  const tokenBudget = readBudget(element, "tokenBudget", ["fail", "warn", "skip-remaining"] as const);
  if (tokenBudget !== undefined)
    spec.tokenBudget = { ...tokenBudget, ...limits(element, "tokenBudget", "max") };
  const latencySlo = readBudget(element, "latencySlo", ["fail", "warn"] as const);
  if (latencySlo !== undefined)
    spec.latencySlo = { ...latencySlo, ...limits(element, "latencySlo", "maxMs") };
  return spec;
}

function readTracking(element: HostElement): AspectsSpec["tracking"] {
  const { tokens = true, latency = true } = readMembers(element, "tracking", ["tokens", "latency"]) ?? {};
  if (typeof tokens !== "boolean" || typeof latency !== "boolean") {
    throw invalid(element, "tracking", "tokens and latency to be true or false");
  }
  return { tokens, latency };
}

function readBudget<P extends string>(
  element: HostElement,
  name: string,
  policies: readonly P[],
): { onExceeded: P } | undefined {
  const budget: { onExceeded?: unknown } | undefined = readObject(element, name);
  if (budget === undefined) return undefined;
  const { onExceeded = "fail" } = budget;
  if (!policies.includes(onExceeded as P)) {
    throw invalid(element, name, `onExceeded to be one of ${policies.join(", ")}`);
  }
  return { onExceeded: onExceeded as P };
}

/** The total under `name` and `perTask`: positive numbers, at least one of them. */
function limits<N extends string>(
  element: HostElement,
  prop: string,
  name: N,
): { [K in N | "perTask"]?: number } {
  const budget: Record<string, unknown> = readMembers(element, prop, [name, "perTask", "onExceeded"]) ?? {};
  const found: { [K in N | "perTask"]?: number } = {};
  for (const key of [name, "perTask"] as const) {
    const value = budget[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value > 0))
      throw invalid(element, prop, `${key} to be a number greater than 0`);
    found[key] = value;
  }
  if (Object.keys(found).length === 0) throw invalid(element, prop, `${name} or perTask`);
  return found;
}
