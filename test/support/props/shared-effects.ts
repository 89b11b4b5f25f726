import type { LimitProps, OrderProps } from "../../../src/components/tasks/task-props.js";
import type { RenderedFrame } from "../../../src/model/graph.js";
import type { PlanNode } from "../../../src/model/plan.js";
import type { TaskDescriptor } from "../../../src/model/task.js";
import { ids, task } from "../render-workflow.js";
import type { PropEffect, PropEffects } from "./prop-table.js";

/** One field of the task with this id. */
export function field(name: keyof TaskDescriptor, id = "a"): PropEffect["shows"] {
  return (frame) => task(frame, id)[name];
}

/** Which tasks there are, without the one before the component. */
export const tasksInside = (frame: RenderedFrame): string[] => ids(frame).filter((id) => id !== "before");

/** Which of them are skipped. */
export const skippedTasks = (frame: RenderedFrame): string[] =>
  frame.tasks.filter(({ skipIf }) => skipIf).map(({ nodeId }) => nodeId);

/** The first part of the plan of this kind. */
export function planOf<K extends PlanNode["kind"]>(
  kind: K,
  node: PlanNode,
): Extract<PlanNode, { kind: K }> | undefined {
  if (node.kind === kind) return node as Extract<PlanNode, { kind: K }>;
  for (const child of childrenOf(node)) {
    const found = planOf(kind, child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function childrenOf(node: PlanNode): readonly PlanNode[] {
  switch (node.kind) {
    case "sequence":
    case "parallel":
      return node.children;
    case "loop":
      return [node.body];
    case "saga":
      return node.steps.flatMap(({ action, compensation }) => [action, compensation]);
    case "try":
      return [node.try, node.catch, node.finally].filter((part) => part !== undefined);
    default:
      return [];
  }
}

/** Of a component with a child task `inside`. */
export const skipInside: PropEffect = { to: true, shows: skippedTasks, as: ["inside"] };

export const childrenInside: PropEffect["shows"] = tasksInside;

export function orderEffects(id = "a") {
  return {
    skipIf: { to: true, shows: field("skipIf", id), as: true },
    dependsOn: { to: ["before"], shows: field("dependsOn", id), as: ["before"] },
    needs: { to: { b: "before" }, shows: field("needs", id), as: { b: "before" } },
    label: { to: "Label", shows: field("label", id), as: "Label" },
    meta: { to: { team: "x" }, shows: field("meta", id), as: { team: "x" } },
  } satisfies PropEffects<OrderProps>;
}

export const limitEffects = {
  timeoutMs: { to: 5, shows: field("timeoutMs"), as: 5 },
  heartbeatTimeoutMs: { to: 5, shows: field("heartbeatTimeoutMs"), as: 5 },
  heartbeatTimeout: { to: 5, shows: field("heartbeatTimeoutMs"), as: 5 },
  retries: { to: 2, shows: field("retries"), as: 2 },
  retryPolicy: { to: { initialDelayMs: 7 }, shows: field("retryPolicy"), as: { initialDelayMs: 7 } },
  continueOnFail: { to: true, shows: field("continueOnFail"), as: true },
  cache: { to: { version: "2" }, shows: field("cachePolicy"), as: { version: "2" } },
} satisfies PropEffects<LimitProps>;
