/** A generated workflow as data: what the builder renders, the operator obeys and the report prints. */
export type Plan = TaskPlan | ApprovalPlan | HumanPlan | EventPlan | TimerPlan | BlockPlan;

export interface TaskPlan {
  kind: "task";
  id: string;
  work: "static" | "compute" | "async" | "agent" | "probe";
  /** Failed attempts before the first success. */
  fails: number;
  retries: number;
  delayMs: number;
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
}

export interface TimerPlan {
  kind: "timer";
  id: string;
  ms: number;
}

export type BlockPlan =
  | { kind: "sequence"; skip: boolean; children: Plan[] }
  | { kind: "parallel"; queue: boolean; cap: number | null; children: Plan[] }
  | { kind: "branch"; source: string; then: Plan[]; otherwise: Plan[] }
  | {
      kind: "loop";
      id: string;
      probe: string;
      times: number;
      max: number;
      onMax: "fail" | "return-last";
      every: number | null;
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
  | { kind: "subflow"; id: string; mode: "childRun" | "inline"; continueOnFail: boolean; children: Plan[] };

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
      return false;
    case "loop":
      return any(plan.body) || (plan.onMax === "fail" && plan.times > plan.max);
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
 * Whether siblings run next to something that may fail: how far they get is then
 * a matter of time, and two runs may differ in it.
 */
export function isRacy(plans: readonly Plan[]): boolean {
  const all = [...everyPlan(plans)];
  const hasAsync = all.some((plan) => (plan.kind === "approval" || plan.kind === "event") && plan.async);
  if (hasAsync && all.some(mayFail)) return true;
  return all.some((plan) => plan.kind === "parallel" && plan.children.some(mayFail));
}

/** The plan as text that reads like the workflow. */
export function planText(plans: readonly Plan[], indent = ""): string {
  return plans.map((plan) => oneText(plan, indent)).join("\n");
}

function oneText(plan: Plan, indent: string): string {
  const { kind, ...rest } = plan;
  const props = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== false && !hasPlans(value) && !isEmpty(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(" ");
  const groups = Object.entries(rest).filter(([, value]) => hasPlans(value)) as [string, Plan[]][];
  const head = `${indent}<${kind}${props === "" ? "" : ` ${props}`}`;
  if (groups.length === 0) return `${head} />`;
  const inner = groups.map(([name, list]) => {
    if (name === "steps") {
      const steps = list as unknown as SagaStepPlan[];
      return steps
        .map(
          (step) => `${indent}  ${step.id}:\n${planText([step.action, step.compensation], `${indent}    `)}`,
        )
        .join("\n");
    }
    return groups.length === 1
      ? planText(list, `${indent}  `)
      : `${indent}  ${name}:\n${planText(list, `${indent}    `)}`;
  });
  return `${head}>\n${inner.join("\n")}\n${indent}</${kind}>`;
}

function hasPlans(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === "object";
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
