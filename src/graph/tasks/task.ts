import { taskAddress } from "../ancestor-context.js";
import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { TaskRule } from "../element-rule.js";
import { sourceHash, taskFingerprint } from "../fingerprint.js";
import { invalid, readFlag, readText } from "../props.js";
import { describeAgents } from "./agents.js";
import { baseDescriptor } from "./base.js";
import { applyContent, kindOfContent } from "./content.js";
import { describeCache, describeRetries } from "./limits.js";
import { describeMemory } from "./memory.js";
import { describeLimit } from "./named-limits.js";
import { describeOutput } from "./output.js";
import { readScorers } from "./scorers.js";

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
