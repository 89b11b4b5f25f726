import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { readCount, readFlag } from "../props.js";
import { baseDescriptor } from "./base.js";
import { applyContent } from "./content.js";
import { describeOutput } from "./output.js";

const DEFAULT_MAX_ATTEMPTS = 10;

/** A person fills in the row. The content between the tags is the question. */
export const humanTaskRule: TaskRule = {
  kind: "task",
  attributes: [
    "output",
    "maxAttempts",
    "async",
    "timeoutMs",
    "continueOnFail",
    "dependsOn",
    "needs",
    "skipIf",
    "label",
  ],
  describe(site) {
    const { element, extraction } = site;
    const task = baseDescriptor(site, "human");
    const outputSignature = describeOutput(site, task);
    const maxAttempts = readCount(element, "maxAttempts", { min: 1, infinite: true }) ?? DEFAULT_MAX_ATTEMPTS;
    task.retries = maxAttempts - 1;
    // An answer that does not fit is asked for again at once; it is no failure to back off from.
    task.retryPolicy = { backoff: "fixed", initialDelayMs: 0, maxIdenticalFailures: 0 };
    task.needsApproval = true;
    task.approvalMode = "decision";
    task.approvalOnDeny = "fail";
    task.approvalRequest = { title: task.label ?? String(element.props["id"]) };
    if (readFlag(element, "async") === true) task.waitAsync = true;
    applyContent(element, task, extraction);
    task.fingerprint = taskFingerprint(task, { outputSignature });
    return task;
  },
};
