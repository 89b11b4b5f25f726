import type { HostElement } from "../../model/host-node.js";
import type { EventWait } from "../../model/task.js";
import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { invalid, readChoice, readFlag, readTaskId, readText, readTimeout } from "../props.js";
import { baseDescriptor } from "./base.js";
import { describeOutput, resolveOutput, setOutput } from "./output.js";

const ATTRIBUTES = [
  "correlationId",
  "timeoutMs",
  "onTimeout",
  "async",
  "skipIf",
  "dependsOn",
  "needs",
  "label",
  "meta",
] as const;

/** Waits for the signal that has the element's id as its name. */
export const signalRule: TaskRule = {
  kind: "task",
  attributes: ["schema", ...ATTRIBUTES],
  describe(site) {
    const { element } = site;
    const task = baseDescriptor(site, "event");
    const { schema } = element.props;
    if (schema === undefined || schema === null)
      throw invalid(element, "schema", "one of the workflow's outputs");
    const outputSignature = setOutput(task, resolveOutput(site, schema, "schema"));
    task.eventWait = readWait(element, readTaskId(element));
    if (readFlag(element, "async") === true) task.waitAsync = true;
    task.fingerprint = taskFingerprint(task, { outputSignature });
    return task;
  },
};

export const waitForEventRule: TaskRule = {
  kind: "task",
  attributes: ["event", "output", ...ATTRIBUTES],
  describe(site) {
    const { element } = site;
    const task = baseDescriptor(site, "event");
    const outputSignature = describeOutput(site, task);
    const event = readText(element, "event");
    if (event === undefined) throw invalid(element, "event", "the name of the event to wait for");
    const isOwn = element.props["outputSchema"] !== undefined;
    task.eventWait = { ...readWait(element, event), ...(isOwn && { hasOwnSchema: true }) };
    if (readFlag(element, "async") === true) task.waitAsync = true;
    task.fingerprint = taskFingerprint(task, { outputSignature });
    return task;
  },
};

function readWait(element: HostElement, name: string): EventWait {
  const correlationId = readText(element, "correlationId");
  const timeoutMs = readTimeout(element, "timeoutMs");
  return {
    name,
    ...(correlationId !== undefined && { correlationId }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    onTimeout: readChoice(element, "onTimeout", ["fail", "skip", "continue"]) ?? "fail",
  };
}
