import { elementSource, rememberElementSource } from "../../../jsx-runtime/element-source.js";
import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import { sameData } from "../../util/same-data.js";
import type { Extraction, TaskRule } from "../element-rule.js";
import { knownFacts, markPlanStale } from "../facts.js";
import { describeTwin } from "../tasks/twin.js";

/**
 * Describes the given tasks anew. A descriptor that says the same as
 * the mounted one is poured into it, so that functions, agents and rows are the
 * newest ones and the plan does not change.
 *
 * @returns whether a mounted task asks people something else now
 */
export function describeTasks(elements: Iterable<HostElement>, extraction: Extraction): boolean {
  let isAskedAnew = false;
  let before: HostElement | undefined;
  for (const element of elements) {
    const facts = knownFacts(element);
    const site = { element, around: facts.around, facts, extraction };
    const twin = before === undefined ? undefined : describeTwin(site, before);
    const task = twin ?? (facts.rule as TaskRule).describe(site);
    before = element;
    const source = elementSource(element.props);
    if (source !== undefined) rememberElementSource(task, source);
    const mounted = facts.task;
    if (mounted !== undefined && sameDefinition(mounted, task)) {
      task.ordinal = mounted.ordinal;
      isAskedAnew ||= !sameData(mounted.approvalRequest, task.approvalRequest);
      replaceFields(mounted, task);
    } else {
      facts.task = task;
      markPlanStale(element);
    }
  }
  return isAskedAnew;
}

/**
 * Fields that only matter when the task is performed or shown. `timerWait` is among them
 * because a timer's time is fixed when it is first mounted; what the shape of an
 * agent, cache or output changes is in the fingerprint.
 */
const PERFORMED: ReadonlySet<string> = new Set([
  "ordinal",
  "label",
  "prompt",
  "staticPayload",
  "computeFn",
  "agent",
  "fallbackAgent",
  "cachePolicy",
  "cacheBy",
  "scorers",
  "memoryConfig",
  "outputTable",
  "outputRef",
  "outputSchema",
  "approvalRequest",
  "timerWait",
  "subflow",
  "sandbox",
] satisfies (keyof TaskDescriptor)[]);

function sameDefinition(a: TaskDescriptor, b: TaskDescriptor): boolean {
  return covers(a, b) && covers(b, a);
}

/** Whether every defining field of `a` is the same in `b`. */
function covers(a: TaskDescriptor, b: TaskDescriptor): boolean {
  for (const name in a) {
    if (PERFORMED.has(name)) continue;
    if (!sameData(a[name as keyof TaskDescriptor], b[name as keyof TaskDescriptor])) return false;
  }
  return true;
}

function replaceFields(target: TaskDescriptor, source: TaskDescriptor): void {
  for (const name of Object.keys(target)) {
    if (!(name in source)) delete target[name as keyof TaskDescriptor];
  }
  Object.assign(target, source);
}
