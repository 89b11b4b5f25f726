import { nearest } from "../util/nearest.js";
import type { HostTag } from "./host-node.js";

const ORDER = ["skipIf", "dependsOn", "needs", "label", "meta"] as const;
const LIMITS = [
  "timeoutMs",
  "heartbeatTimeoutMs",
  "heartbeatTimeout",
  "retries",
  "retryPolicy",
  "continueOnFail",
  "cache",
] as const;
const WAIT = ["correlationId", "timeoutMs", "onTimeout", "async"] as const;
/** Props that components hand to their elements besides those of the author. */
const CONTROL = ["token"] as const;

/** The props that each element may have, `children` and `key` aside. */
export const ELEMENT_PROPS = {
  Workflow: ["name", "cache", "queue"],
  Sequence: ["skipIf"],
  Parallel: ["id", "maxConcurrency", "skipIf"],
  MergeQueue: ["id", "maxConcurrency", "skipIf"],
  Branch: ["if", "skipIf"],
  Loop: [
    "id",
    "until",
    "maxIterations",
    "onMaxReached",
    "continueAsNewEvery",
    "skipIf",
    "iteration",
    ...CONTROL,
  ],
  Worktree: ["id", "path", "branch", "baseBranch", "skipIf"],
  Aspects: ["id", "tokenBudget", "latencySlo", "tracking", "skipIf"],
  Saga: ["id", "onFailure", "skipIf"],
  SagaStep: ["id", "label"],
  SagaAction: [],
  SagaCompensation: ["thrown"],
  TryCatchFinally: ["id", "catchErrors", "skipIf", "hasCatch", "phase", ...CONTROL],
  TryPart: [],
  CatchPart: ["thrown"],
  FinallyPart: [],
  InlineSubflow: ["id", "workflow", "input", "mode", "output", "token", "prefix", ...ORDER, ...LIMITS],
  SubflowResult: ["id", "output", "label", "meta"],
  ContinueAsNew: ["state"],
  Task: [
    "id",
    "output",
    "outputSchema",
    "agent",
    "fallbackAgent",
    "deps",
    "fork",
    "needsApproval",
    "async",
    "noRetry",
    "scorers",
    "memory",
    "hijack",
    "onHijackExit",
    "allowTools",
    "maxSchemaRetries",
    "limit",
    "queue",
    "bookkeeping",
    "sampledAs",
    ...ORDER,
    ...LIMITS,
  ],
  Approval: [
    "id",
    "mode",
    "options",
    "output",
    "outputSchema",
    "request",
    "onDeny",
    "allowedScopes",
    "allowedUsers",
    "autoApprove",
    "async",
    ...ORDER,
    ...LIMITS,
  ],
  Signal: ["id", "schema", ...WAIT, ...ORDER],
  WaitForEvent: ["id", "event", "output", "outputSchema", ...WAIT, ...ORDER],
  Timer: ["id", "duration", "until", "every", ...ORDER],
  HumanTask: [
    "id",
    "output",
    "outputSchema",
    "maxAttempts",
    "async",
    "timeoutMs",
    "continueOnFail",
    ...ORDER,
  ],
  Subflow: ["id", "workflow", "input", "mode", "output", ...ORDER, ...LIMITS],
  SandboxRun: ["id", "output", "outputSchema", "sandbox", ...ORDER, ...LIMITS],
  SandboxEnd: ["id", "output", "sandbox", ...ORDER, "continueOnFail"],
} as const satisfies Readonly<Record<HostTag, readonly string[]>>;

const KNOWN = new Map<string, ReadonlySet<string>>(
  Object.entries(ELEMENT_PROPS).map(([tag, names]) => [tag, new Set(["children", ...names])]),
);

/** The problem with a prop that an element does not have; undefined when it has all of them. */
export function unknownElementProp(
  tag: string,
  props: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = KNOWN.get(tag);
  return known === undefined ? undefined : unknownProp(props, known);
}

/** `an unknown prop "maxConcurency"; did you mean "maxConcurrency"?`; where nothing is near, the props that there are. */
export function unknownProp(
  props: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): string | undefined {
  for (const name in props) {
    // A conditional prop that is not given is none.
    if (known.has(name) || props[name] === undefined) continue;
    const meant = nearest(name, known);
    const help =
      meant === undefined ? `it takes ${[...known].sort().join(", ")}` : `did you mean "${meant}"?`;
    return `an unknown prop "${name}"; ${help}`;
  }
  return undefined;
}
