import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor, TaskKind } from "../../model/task.js";
import type { Site, TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { invalid, readChoice, readFlag, readObject, readText } from "../props.js";
import { baseDescriptor } from "./base.js";
import { describeCache, describeRetries } from "./limits.js";
import { describeOutput } from "./output.js";

const COMMON = [
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
] as const;

/** A workflow as a run of its own. */
export const subflowRule: TaskRule = {
  kind: "task",
  attributes: ["mode", ...COMMON],
  describe(site) {
    const { element } = site;
    const { task, finish } = describeChild(site, "subflow");
    const { workflow } = element.props;
    if (!isWorkflow(workflow)) throw invalid(element, "workflow", "a workflow: what service(build) returns");
    const input = readObject(element, "input");
    task.subflow = { workflow, ...(input !== undefined && { input }) };
    return finish();
  },
};

/**
 * Props of a Sandbox that its runner reads. `env`, `egress` and `input` may hold
 * secrets, so the XML shows none of them.
 */
const SANDBOX_PROPS = [
  "workflow",
  "input",
  "provider",
  "runtime",
  "allowNetwork",
  "reviewDiffs",
  "autoAcceptDiffs",
  "allowNested",
  "image",
  "env",
  "egress",
  "ports",
  "volumes",
  "memoryLimit",
  "cpuLimit",
  "command",
  "workspace",
] as const;

export const sandboxRule: TaskRule = {
  kind: "task",
  attributes: [
    "runtime",
    "image",
    "allowNetwork",
    "reviewDiffs",
    "autoAcceptDiffs",
    "allowNested",
    ...COMMON,
  ],
  describe(site) {
    const { element } = site;
    const { task, finish } = describeChild(site, "sandbox");
    checkSandbox(element);
    const sandbox: Record<string, unknown> = {};
    for (const name of SANDBOX_PROPS) {
      const value = element.props[name];
      if (value !== undefined && value !== null) sandbox[name] = value;
    }
    task.sandbox = sandbox;
    return finish(sandbox["runtime"]);
  },
};

function describeChild(
  site: Site,
  kind: TaskKind,
): { task: TaskDescriptor; finish(extra?: unknown): TaskDescriptor } {
  const task = baseDescriptor(site, kind);
  const outputSignature = describeOutput(site, task);
  describeRetries(site.element, task);
  describeCache(site, task);
  return {
    task,
    finish(extra) {
      task.fingerprint = taskFingerprint(task, { outputSignature, extra });
      return task;
    },
  };
}

function checkSandbox(element: HostElement): void {
  readChoice(element, "runtime", ["bubblewrap", "docker", "codeplane"]);
  for (const name of ["allowNetwork", "reviewDiffs", "autoAcceptDiffs", "allowNested"])
    readFlag(element, name);
  readText(element, "image");
  for (const name of ["input", "env", "egress", "workspace"]) readObject(element, name);
  const { workflow, provider } = element.props;
  if (workflow !== undefined && workflow !== null && !isWorkflow(workflow)) {
    throw invalid(element, "workflow", "a workflow: what service(build) returns");
  }
  if (provider !== undefined && provider !== null && typeof provider !== "string" && !isProvider(provider)) {
    throw invalid(element, "provider", "the id of a registered provider, or an object with id and run()");
  }
}

function isWorkflow(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { build?: unknown }).build === "function"
  );
}

function isProvider(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { run?: unknown }).run === "function"
  );
}
