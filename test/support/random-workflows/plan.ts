import { type CompositePlan, compositeMayFail } from "./composites.js";

/** What a seed stands for. */
export interface Scenario {
  plans: Plan[];
  maxConcurrency: number;
  /** How often an operator resumes the run when it has failed. */
  resumes: number;
}

/** A generated workflow as data: what the builder renders, the operator obeys and the report prints. */
export type Plan =
  | TaskPlan
  | ApprovalPlan
  | HumanPlan
  | EventPlan
  | TimerPlan
  | CompositePlan
  | ContinuePlan
  | BlockPlan;

export interface TaskPlan {
  kind: "task";
  id: string;
  work: "static" | "compute" | "async" | "agent" | "probe";
  /** Failed attempts before the first success. */
  fails: number;
  /** These hang until they are asked to stop, or even after that. */
  hangs: { limit: "timeout" | "heartbeat"; deaf: boolean } | null;
  retries: number;
  delayMs: number;
  /** How long an attempt takes where that is scripted. */
  ms: number;
  /** The first attempt finds no quota. */
  lacksQuota: boolean;
  continueOnFail: boolean;
  skip: boolean;
  dependsOn: string[];
  /** Rows handed over as `deps`. */
  reads: string[];
  /** Rows handed over as `needs`. */
  needs: string[];
  gate: Answer | null;
}

/** What the operator does about a wait; `ignore` lets it time out. */
export type Answer = "approve" | "deny" | "ignore";

export interface ApprovalPlan {
  kind: "approval";
  id: string;
  mode: "approve" | "select" | "rank";
  onDeny: "fail" | "continue" | "skip";
  answer: Answer;
  timeoutMs: number | null;
  continueOnFail: boolean;
  async: boolean;
  dependsOn: string[];
  /** An `ApprovalGate` with this `when`. */
  when: boolean | null;
}

export interface HumanPlan {
  kind: "human";
  id: string;
  answer: Answer;
  timeoutMs: number | null;
  continueOnFail: boolean;
}

export interface EventPlan {
  kind: "event";
  id: string;
  element: "Signal" | "WaitForEvent";
  event: string;
  correlationId: string | null;
  sent: "early" | "on-wait" | "never";
  timeoutMs: number | null;
  onTimeout: "fail" | "skip" | "continue";
  async: boolean;
  dependsOn: string[];
}

export interface TimerPlan {
  kind: "timer";
  id: string;
  /** How long it waits, or the moment counted from the clock's start. */
  ms: number;
  isAbsolute: boolean;
  dependsOn: string[];
}

/** Continues until this many runs of the chain have continued. */
export interface ContinuePlan {
  kind: "continue";
  id: string;
  times: number;
}

export type BlockPlan =
  | { kind: "sequence"; skip: boolean; children: Plan[] }
  | { kind: "parallel"; queue: boolean; cap: number | null; children: Plan[] }
  | { kind: "branch"; source: string; then: Plan[]; otherwise: Plan[] }
  /** Mounted until, or since, this task has a row, wherever the task stands. */
  | { kind: "follows"; source: string; is: "until" | "since"; children: Plan[] }
  | {
      kind: "loop";
      id: string;
      probe: string;
      times: number;
      max: number;
      onMax: "fail" | "return-last";
      every: number | null;
      skip: boolean;
      body: Plan[];
    }
  | {
      kind: "saga";
      id: string;
      onFailure: "compensate" | "compensate-and-fail" | "fail";
      steps: SagaStepPlan[];
    }
  | {
      kind: "try";
      id: string;
      body: Plan[];
      handler: "none" | "element" | "function";
      codes: string[] | null;
      recovery: Plan[];
      final: Plan[];
    }
  | {
      kind: "aspects";
      id: string;
      tokens: { max: number | null; perTask: number | null } | null;
      onExceeded: "fail" | "warn" | "skip-remaining";
      children: Plan[];
    }
  | {
      kind: "subflow";
      id: string;
      mode: "childRun" | "inline";
      continueOnFail: boolean;
      retries: number;
      skip: boolean;
      dependsOn: string[];
      children: Plan[];
    };

export interface SagaStepPlan {
  id: string;
  action: Plan;
  compensation: Plan;
}

/** Plans directly inside. */
export function parts(plan: Plan): Plan[] {
  switch (plan.kind) {
    case "sequence":
    case "parallel":
    case "aspects":
    case "follows":
    case "subflow":
      return plan.children;
    case "branch":
      return [...plan.then, ...plan.otherwise];
    case "loop":
      return plan.body;
    case "saga":
      return plan.steps.flatMap((step) => [step.action, step.compensation]);
    case "try":
      return [...plan.body, ...plan.recovery, ...plan.final];
    default:
      return [];
  }
}

export function* everyPlan(plans: readonly Plan[]): Generator<Plan> {
  for (const plan of plans) {
    yield plan;
    yield* everyPlan(parts(plan));
  }
}

/** Whether a failure may leave the plan. May say yes where it never happens. */
export function mayFail(plan: Plan): boolean {
  const any = (plans: readonly Plan[]) => plans.some(mayFail);
  switch (plan.kind) {
    case "task":
      return !plan.continueOnFail && (plan.fails > plan.retries || plan.gate === "deny" || hasUnsure(plan));
    case "approval":
      if (plan.when === false || plan.continueOnFail) return false;
      return plan.answer === "ignore" || (plan.answer === "deny" && plan.onDeny === "fail");
    case "human":
      return plan.answer !== "approve" && !plan.continueOnFail;
    case "event":
      return plan.sent === "never" && plan.onTimeout === "fail";
    case "timer":
    case "continue":
      return false;
    case "composite":
      return compositeMayFail(plan);
    case "aspects":
      return any(plan.children) || (plan.tokens !== null && plan.onExceeded === "fail");
    case "loop":
      return (
        any(plan.body) || (plan.onMax === "fail" && (plan.times > plan.max || plan.probe.startsWith("u")))
      );
    case "saga":
      if (any(plan.steps.map((step) => step.compensation))) return true;
      return plan.onFailure !== "compensate" && any(plan.steps.map((step) => step.action));
    case "try":
      if (any(plan.final) || any(plan.recovery)) return true;
      return (plan.handler === "none" || plan.codes !== null) && any(plan.body);
    case "subflow":
      return plan.mode === "inline" ? any(plan.children) : !plan.continueOnFail && any(plan.children);
    default:
      return any(parts(plan));
  }
}

function hasUnsure(plan: TaskPlan): boolean {
  return plan.reads.some((id) => id.startsWith("u"));
}

/**
 * Whether siblings run next to something that may fail, or ends the run: how far
 * they get is then a matter of time, and two runs may differ in it.
 */
export function isRacy({ plans }: Scenario): boolean {
  const all = [...everyPlan(plans)];
  if (all.some(({ kind }) => kind === "follows")) return true;
  const hasAsync = all.some((plan) => (plan.kind === "approval" || plan.kind === "event") && plan.async);
  if (hasAsync && all.some((plan) => mayFail(plan) || mayDeny(plan) || mayContinue(plan) || isBudget(plan)))
    return true;
  const sideBySide = all.filter((plan) => plan.kind === "parallel");
  if (sideBySide.some((plan) => plan.children.some(mayFail))) return true;
  if (sideBySide.some((plan) => [...everyPlan(plan.children)].some(isBudget))) return true;
  return all.some((plan) => isBudget(plan) && [...everyPlan([plan])].some(({ kind }) => kind === "parallel"));
}

/** A denial also skips what has not started yet. */
function mayDeny(plan: Plan): boolean {
  return plan.kind === "approval" && plan.answer === "deny";
}

function mayContinue(plan: Plan): boolean {
  return plan.kind === "continue" || (plan.kind === "loop" && plan.every !== null);
}

/** Who is first to spend what is left decides who may continue. */
function isBudget(plan: Plan): boolean {
  return plan.kind === "aspects" && plan.onExceeded !== "warn";
}

/**
 * Whether loops of the plan continue as new runs, and nothing else makes a chain differ
 * from a single run: budgets begin anew, a ContinueAsNew outside of loops begins all anew.
 */
export function isChain(scenario: Scenario): boolean {
  const all = [...everyPlan(scenario.plans)];
  // The operator resumes each run of a chain as often as it would the single run.
  if (scenario.resumes > 0) return false;
  if (isRacy(scenario) || all.some((plan) => plan.kind === "continue" || isBudget(plan))) return false;
  return all.some((plan) => plan.kind === "loop" && plan.every !== null);
}

/** The same in single runs. */
export function withoutChains(scenario: Scenario): Scenario {
  const copy = structuredClone(scenario);
  for (const plan of everyPlan(copy.plans)) if (plan.kind === "loop") plan.every = null;
  return copy;
}
