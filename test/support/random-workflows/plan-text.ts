import type { Plan, SagaStepPlan } from "./plan.js";

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
