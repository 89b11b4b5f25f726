import type { ApprovalMode, ApprovalOption, ApprovalRequest } from "../../model/approval.js";
import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isPlainObject } from "../../util/same-data.js";
import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { frameError } from "../frame-error.js";
import { checkJsonProp, invalid, readChoice, readFlag, readObjectProp, readTexts } from "../props.js";
import { readAutoApprove } from "./auto-approve.js";
import { baseDescriptor, LIMITED_ATTRIBUTES } from "./base.js";
import { describeOwnCache, describeRetries } from "./limits.js";
import { checkDecisionOutput } from "./decision-output.js";
import { describeOutput } from "./output.js";

export const approvalRule: TaskRule = {
  kind: "task",
  attributes: ["mode", "output", "onDeny", "allowedScopes", "allowedUsers", "async", ...LIMITED_ATTRIBUTES],
  describe(site) {
    const { element } = site;
    const task = baseDescriptor(site, "approval");
    const outputSignature = describeOutput(site, task);
    describeRetries(element, task);
    // A time limit without `retries` ends the wait when it has passed.
    if (element.props["retries"] === undefined) task.retries = 0;
    describeOwnCache(site, task);
    task.needsApproval = true;
    task.approvalMode = readMode(element);
    task.approvalOnDeny = readChoice(element, "onDeny", ["fail", "continue", "skip"]) ?? "fail";
    task.approvalRequest = readRequest(element);
    task.label ??= task.approvalRequest.title;
    describeOptions(element, task);
    describeDeciders(element, task);
    const autoApprove = readAutoApprove(site);
    if (autoApprove !== undefined) task.approvalAutoApprove = autoApprove;
    if (readFlag(element, "async") === true) task.waitAsync = true;
    checkDecisionOutput(element, task);
    task.fingerprint = taskFingerprint(task, { outputSignature });
    return task;
  },
};

/** In descriptors `approve` is called `decision`: a `gate` is the approval of a task. */
function readMode(element: HostElement): ApprovalMode {
  const mode = readChoice(element, "mode", ["approve", "select", "rank"]) ?? "approve";
  return mode === "approve" ? "decision" : mode;
}

function readRequest(element: HostElement): ApprovalRequest {
  const request = readObjectProp(element, "request");
  const valid =
    typeof request?.["title"] === "string" &&
    (request["summary"] === undefined || typeof request["summary"] === "string") &&
    (request["metadata"] === undefined || isPlainObject(request["metadata"]));
  if (!valid)
    throw invalid(element, "request", "an object with a title, and optionally summary and metadata");
  return request as unknown as ApprovalRequest;
}

function describeOptions(element: HostElement, task: TaskDescriptor): void {
  const options = element.props["options"] ?? [];
  if (!Array.isArray(options) || !options.every(isOption)) {
    throw invalid(element, "options", "a list of options, each with key and label");
  }
  checkJsonProp(element, "options", options);
  const keys = new Set(options.map(({ key }) => key));
  if (keys.size < options.length) throw invalid(element, "options", "options with different keys");
  if (options.length > 0) task.approvalOptions = options;
  else if (task.approvalMode !== "decision") {
    throw frameError("APPROVAL_OPTIONS_REQUIRED", element, `has mode="${task.approvalMode}" but no options.`);
  }
}

function isOption(value: unknown): value is ApprovalOption {
  return isPlainObject(value) && typeof value["key"] === "string" && typeof value["label"] === "string";
}

function describeDeciders(element: HostElement, task: TaskDescriptor): void {
  const scopes = readNames(element, "allowedScopes");
  if (scopes !== undefined) task.approvalAllowedScopes = scopes;
  const users = readNames(element, "allowedUsers");
  if (users !== undefined) task.approvalAllowedUsers = users;
}

/** An empty list could be read as no person and as every person. */
function readNames(element: HostElement, name: string): string[] | undefined {
  const names = readTexts(element, name);
  if (names?.length === 0) throw invalid(element, name, "a list of at least one, or nothing for everybody");
  return names;
}
