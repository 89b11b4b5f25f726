import type { SandboxSpec } from "../../model/task.js";
import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { baseDescriptor } from "./base.js";
import { describeRetries } from "./limits.js";
import { describeOutput } from "./output.js";

/** A sandbox that says nothing for this long is given up, milliseconds. */
const SILENCE_MS = 600_000;

/** Both parts of a `Sandbox`, which has checked what it hands on. */
export const sandboxRule: TaskRule = {
  kind: "task",
  attributes: [
    "output",
    "dependsOn",
    "needs",
    "skipIf",
    "timeoutMs",
    "heartbeatTimeoutMs",
    "heartbeatTimeout",
    "retries",
    "retryPolicy",
    "continueOnFail",
    "label",
    "meta",
  ],
  describe(site) {
    const { element } = site;
    const task = baseDescriptor(site, "sandbox");
    const outputSignature = describeOutput(site, task);
    describeRetries(element, task);
    const sandbox = element.props["sandbox"] as SandboxSpec;
    task.sandbox = sandbox;
    if (sandbox.part === "run") task.heartbeatTimeoutMs ??= SILENCE_MS;
    // The files of the run's folder are no part of a cache's key.
    task.isUncached = true;
    task.fingerprint = taskFingerprint(task, { outputSignature, extra: `sandbox-${sandbox.part}` });
    return task;
  },
};
