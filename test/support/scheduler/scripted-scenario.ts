import { writtenId } from "../../../src/model/address.js";
import type { PlanNode } from "../../../src/model/plan.js";
import { everyPlan, type Plan, type Scenario, type TaskPlan } from "../random-workflows/plan.js";
import { Order } from "../random-workflows/order.js";
import { Outside } from "../random-workflows/outside.js";
import { parallel, type Place, type PlanOf, sequence } from "./place.js";
import { fail, hang, type Outcome, type Script } from "./script.js";

/** A random workflow as the scheduler meets it: its plan, how its attempts go, and who is there to answer. */
export interface ScriptedScenario {
  plan: PlanOf;
  script: Script;
  /** A new player for each time that it is played. */
  outside: () => Outside;
  order: Order;
}

export function scriptedScenario({ plans }: Scenario): ScriptedScenario {
  const script: Record<string, Outcome | readonly Outcome[]> = {};
  for (const plan of everyPlan(plans)) if (plan.kind === "task") script[plan.id] = outcomesOf(plan);
  return {
    plan: (at) => all(plans, { at, addresses: new Map() }),
    script: new Proxy(script, {
      // Nodes in nested loops carry a suffix; the script does not care.
      get: (target, key) => target[writtenId(String(key).split("::")[0] ?? "")],
    }),
    outside: () => new Outside(plans),
    order: new Order(plans),
  };
}

/** What fails for good fails however often an interruption has cost it an attempt. */
function outcomesOf({ ms, fails, hangs, retries, lacksQuota }: TaskPlan): readonly Outcome[] {
  const well: Outcome = { kind: "finish", after: ms };
  const failed: Outcome = hangs === null ? { ...fail("not yet"), after: ms } : hang;
  const first: Outcome[] = lacksQuota ? [{ kind: "quota", resetAtMs: 30, after: ms }] : [];
  if (fails > retries) return [...first, failed];
  return [...first, ...Array.from({ length: fails }, () => failed), well];
}

/** Where the builder stands, and the addresses of what comes before. */
interface Site {
  at: Place;
  addresses: Map<string, string>;
}

function all(plans: readonly Plan[], site: Site): PlanNode {
  return sequence(...plans.map((plan) => build(plan, site)));
}

function build(plan: Plan, site: Site): PlanNode {
  const { at, addresses } = site;
  if ("id" in plan) addresses.set(plan.id, at.address(plan.id));
  const references = (ids: readonly string[]) =>
    ids.length === 0 ? {} : { dependsOn: ids.map((id) => addresses.get(id) ?? id) };
  switch (plan.kind) {
    case "task":
      return at.task(plan.id, {
        retries: plan.retries,
        retryPolicy: { backoff: "fixed", initialDelayMs: plan.delayMs },
        continueOnFail: plan.continueOnFail,
        skipIf: plan.skip,
        needsApproval: plan.gate !== null,
        ...(plan.hangs?.limit === "timeout" && { timeoutMs: LIMIT_MS }),
        ...(plan.hangs?.limit === "heartbeat" && { heartbeatTimeoutMs: LIMIT_MS }),
        ...references([...plan.dependsOn, ...plan.needs]),
      });
    case "approval":
      return at.approval(plan.id, {
        approvalOnDeny: plan.onDeny,
        continueOnFail: plan.continueOnFail,
        timeoutMs: plan.timeoutMs,
        ...(plan.async && { waitAsync: true }),
        ...references(plan.dependsOn),
      });
    case "event": {
      const { event: name, correlationId, onTimeout, timeoutMs } = plan;
      const wait = { name, onTimeout, ...(correlationId !== null && { correlationId }) };
      return at.event(
        plan.id,
        { ...wait, ...(timeoutMs !== null && { timeoutMs }) },
        { ...(plan.async && { waitAsync: true }), ...references(plan.dependsOn) },
      );
    }
    case "timer": {
      const wait = plan.isAbsolute ? { untilMs: plan.ms } : { durationMs: plan.ms };
      return at.timer(plan.id, wait, references(plan.dependsOn));
    }
    case "sequence":
      return all(plan.children, plan.skip ? { ...site, at: at.skipped() } : site);
    case "parallel": {
      const group = parallel(...plan.children.map((child) => build(child, site)));
      return { ...group, id: groupId(plan), ...(plan.cap !== null && { cap: plan.cap }) } as PlanNode;
    }
    case "branch":
      return all(at.has(plan.source) && plan.source.endsWith("1") ? plan.then : plan.otherwise, site);
    case "follows":
      return at.has(plan.source, 0) === (plan.is === "since") ? all(plan.children, site) : sequence();
    case "loop":
      return at.loop(
        plan.id,
        {
          until: (here) => here.iteration + 1 >= plan.times,
          maxIterations: plan.max,
          onMaxReached: plan.onMax,
          skipIf: plan.skip,
        },
        (here) => all(plan.body, { ...site, at: here }),
      );
    case "saga":
      return at.saga(
        plan.id,
        plan.onFailure,
        Object.fromEntries(
          plan.steps.map(({ id, action, compensation }) => [
            id,
            [build(action, site), build(compensation, site)],
          ]),
        ),
      );
    case "try":
      return at.tryBlock(plan.id, {
        try: all(plan.body, site),
        ...(plan.handler === "element" && { catch: all(plan.recovery, site) }),
        ...(plan.handler === "function" && { catch: () => all(plan.recovery, site) }),
        ...(plan.codes !== null && { catchErrors: plan.codes }),
        ...(plan.final.length > 0 && { finally: all(plan.final, site) }),
      });
    default:
      throw new Error(`The scheduler knows nothing of ${plan.kind}.`);
  }
}

/** The same for the same group in each frame. */
function groupId(plan: Plan): string {
  for (const inner of everyPlan([plan])) if ("id" in inner) return `${plan.kind}-${inner.id}-${inner.kind}`;
  return plan.kind;
}

/** Attempts that hang have this long, milliseconds. */
const LIMIT_MS = 15;
