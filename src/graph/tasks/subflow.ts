import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { invalid, readObject } from "../props.js";
import { baseDescriptor, LIMITED_ATTRIBUTES } from "./base.js";
import { describeOwnCache, describeRetries } from "./limits.js";
import { describeOutput } from "./output.js";

/** A workflow as a run of its own. */
export const subflowRule: TaskRule = {
  kind: "task",
  attributes: ["mode", "output", ...LIMITED_ATTRIBUTES],
  describe(site) {
    const { element } = site;
    const { workflow } = element.props;
    if (!isWorkflow(workflow)) throw invalid(element, "workflow", "a workflow: what service(build) returns");
    const task = baseDescriptor(site, "subflow");
    const outputSignature = describeOutput(site, task);
    describeRetries(element, task);
    describeOwnCache(site, task);
    const input = readObject(element, "input");
    task.subflow = { workflow, ...(input !== undefined && { input }) };
    task.fingerprint = taskFingerprint(task, { outputSignature });
    return task;
  },
};

function isWorkflow(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { build?: unknown }).build === "function"
  );
}
