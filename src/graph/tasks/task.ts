import { agentChain } from "../../model/agent-chain.js";
import { bindingsProblem } from "../../model/bindings-problem.js";
import type { ScorersMap } from "../../model/scorer.js";
import { nearest } from "../../util/nearest.js";
import { taskAddress } from "../ancestor-context.js";
import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { Site, TaskRule } from "../element-rule.js";
import { sourceHash, taskFingerprint } from "../fingerprint.js";
import { frameError } from "../frame-error.js";
import { invalid, readFlag, readObject, readText } from "../props.js";
import { describeAgents } from "./agents.js";
import { baseDescriptor } from "./base.js";
import { applyContent, kindOfContent } from "./content.js";
import { describeCache, describeRetries } from "./limits.js";
import { describeMemory } from "./memory.js";
import { describeOutput } from "./output.js";
import { describeQueue } from "./queue.js";

export const taskRule: TaskRule = {
  kind: "task",
  attributes: [
    "output",
    "agent",
    "dependsOn",
    "needs",
    "deps",
    "fork",
    "skipIf",
    "needsApproval",
    "async",
    "timeoutMs",
    "heartbeatTimeoutMs",
    "heartbeatTimeout",
    "noRetry",
    "retries",
    "retryPolicy",
    "continueOnFail",
    "limit",
    "queue",
    "label",
    "meta",
  ],
  describe(site) {
    const { element, extraction } = site;
    const task = baseDescriptor(site, kindOfContent(element));
    const outputSignature = describeOutput(site, task);
    describeRetries(element, task);
    describeGate(element, task);
    describeAgents(element, task);
    describeLimit(site, task);
    describeQueue(site, task);
    describeCache(site, task);
    const scorers = readScorers(element);
    if (scorers !== undefined) task.scorers = scorers;
    const sampledAs = readText(element, "sampledAs");
    if (sampledAs !== undefined) task.sampledAs = taskAddress(sampledAs, site.around);
    describeMemory(element, task);
    applyContent(element, task, extraction);
    const source = task.computeFn && sourceHash(task.computeFn);
    task.fingerprint = taskFingerprint(task, { outputSignature, sourceHash: source });
    return task;
  },
};

/** `needsApproval`: a person lets the task start. */
function describeGate(element: HostElement, task: TaskDescriptor): void {
  task.needsApproval = readFlag(element, "needsApproval") ?? false;
  const waitAsync = readFlag(element, "async") ?? false;
  if (!task.needsApproval) {
    if (waitAsync)
      throw invalid(
        element,
        "async",
        "needsApproval beside it: only the wait for an approval is asynchronous",
      );
    return;
  }
  task.approvalMode = "gate";
  task.approvalOnDeny = "fail";
  task.approvalRequest = { title: task.label ?? String(element.props["id"]) };
  if (waitAsync) task.waitAsync = true;
}

/** The prop `scorers`. @throws INVALID_INPUT naming the entry and what is expected of it */
function readScorers(element: HostElement): ScorersMap | undefined {
  const given = readObject(element, "scorers");
  if (given === undefined) return undefined;
  const problem = bindingsProblem(given);
  if (problem !== undefined) {
    throw frameError("INVALID_INPUT", element, `has ${problem.at}; expected ${problem.expected}.`);
  }
  return given as ScorersMap;
}

/** `limit` of the task, and those of its agents: names that the workflow declares. */
function describeLimit({ element, extraction }: Site, task: TaskDescriptor): void {
  const known = extraction.registry.limitNames;
  const limit = readText(element, "limit");
  if (limit !== undefined) {
    demand(element, { limit, known, whose: "has the limit" });
    task.limit = limit;
  }
  if (task.kind !== "agent") return;
  for (const agent of agentChain(task)) {
    if (agent.limit !== undefined)
      demand(element, { limit: agent.limit, known, whose: "has an agent with the limit" });
  }
}

function demand(
  element: HostElement,
  { limit, known, whose }: { limit: unknown; known: readonly string[]; whose: string },
): void {
  if (typeof limit === "string" && known.includes(limit)) return;
  const meant = typeof limit === "string" ? nearest(limit, known) : undefined;
  const hint = meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
  const declared = known.length === 0 ? "none" : known.map((name) => JSON.stringify(name)).join(", ");
  throw frameError(
    "LIMIT_UNKNOWN",
    element,
    `${whose} ${JSON.stringify(limit)}, which createService does not declare; its limits: ${declared}.${hint}`,
  );
}
