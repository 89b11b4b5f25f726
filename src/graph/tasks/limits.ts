import type { HostElement } from "../../model/host-node.js";
import type { CachePolicy, RetryPolicy, TaskDescriptor } from "../../model/task.js";
import { isPlainObject } from "../../util/same-data.js";
import type { Site } from "../element-rule.js";
import { invalid, readCount, readFlag, readMembers, readObject } from "../props.js";
import { checkCacheExtras, evaluateCacheBy } from "./cache-by.js";

/** `retries`, `noRetry` and `retryPolicy`. */
export function describeRetries(element: HostElement, task: TaskDescriptor): void {
  const retries = readCount(element, "retries", { min: 0, infinite: true });
  const noRetry = readFlag(element, "noRetry") ?? false;
  if (noRetry && retries !== undefined && retries > 0) {
    throw invalid(element, "noRetry", "no retries beside it");
  }
  task.retries = noRetry ? 0 : (retries ?? defaultRetries(element, task));
  const policy = readRetryPolicy(element);
  if (policy !== undefined) task.retryPolicy = policy;
}

/**
 * Unlimited, unless an element handles the failure: a task with `continueOnFail`,
 * in a try block or in a saga's action gives up at once, an agent after its second try, a chain after its last agent.
 */
function defaultRetries(element: HostElement, task: TaskDescriptor): number {
  const isExpected = task.continueOnFail || element.props["continueOnFail"] === true || isContained(element);
  if (!isExpected) return Number.POSITIVE_INFINITY;
  return task.kind === "agent" ? Math.max(1, chainLength(element) - 1) : 0;
}

function chainLength({ props: { agent, fallbackAgent } }: HostElement): number {
  return (Array.isArray(agent) ? agent.length : 1) + (fallbackAgent == null ? 0 : 1);
}

function isContained(element: HostElement): boolean {
  for (let above = element.parent; above !== null; above = above.parent) {
    if (above.tag === "TryPart" || above.tag === "SagaAction") return true;
  }
  return false;
}

const RETRY_MEMBERS = ["backoff", "initialDelayMs", "maxIdenticalFailures"] as const;

function readRetryPolicy(element: HostElement): RetryPolicy | undefined {
  const policy = readMembers(element, "retryPolicy", RETRY_MEMBERS) as RetryPolicy | undefined;
  if (policy === undefined) return undefined;
  const { backoff, initialDelayMs, maxIdenticalFailures } = policy;
  const valid =
    (backoff === undefined || ["fixed", "linear", "exponential"].includes(backoff)) &&
    (initialDelayMs === undefined || (Number.isFinite(initialDelayMs) && initialDelayMs >= 0)) &&
    (maxIdenticalFailures === undefined ||
      (Number.isInteger(maxIdenticalFailures) && maxIdenticalFailures >= 0));
  if (valid) return policy;
  throw invalid(
    element,
    "retryPolicy",
    'backoff "fixed", "linear" or "exponential", initialDelayMs and maxIdenticalFailures of at least 0',
  );
}

/** `cache` of work, which the workflow around it may switch on. */
export function describeCache(site: Site, task: TaskDescriptor): void {
  describeOwnCache(site, task);
  if (task.cachePolicy === undefined && task.isUncached !== true && site.around.cache) task.cachePolicy = {};
}

/** `cache`; its `by` is evaluated for this frame. */
export function describeOwnCache(site: Site, task: TaskDescriptor): void {
  const { element } = site;
  if (element.props["cache"] === false) {
    task.isUncached = true;
    return;
  }
  const policy: CachePolicy | undefined = readObject(element, "cache");
  if (policy === undefined) return;
  const { by, ttlMs, scope, ...extras } = policy;
  const valid =
    (by === undefined || typeof by === "function") &&
    (ttlMs === undefined || (Number.isFinite(ttlMs) && ttlMs > 0)) &&
    (scope === undefined || ["run", "workflow", "global"].includes(scope));
  if (!valid || !isPlainObject(policy)) {
    throw invalid(
      element,
      "cache",
      'false, or by a function, ttlMs greater than 0, scope "run", "workflow" or "global"',
    );
  }
  checkCacheExtras(site, extras);
  task.cachePolicy = policy;
  task.cacheBy = evaluateCacheBy(site, policy);
}
