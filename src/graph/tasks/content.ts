import { contentKind } from "../../model/content-kind.js";
import type { HostElement } from "../../model/host-node.js";
import type { ComputeFn, TaskDescriptor } from "../../model/task.js";
import { frameError } from "../frame-error.js";
import type { Extraction } from "../element-rule.js";

/** The kind a Task element is, by its agent and what stands between its tags. */
export function kindOfContent(element: HostElement): "static" | "compute" | "agent" {
  const content = contentKind(element.props["children"]);
  const hasAgent = element.props["agent"] !== undefined && element.props["agent"] !== null;
  if (hasAgent) {
    if (content === "value") {
      throw frameError(
        "MDX_PRELOAD_INACTIVE",
        element,
        "has an object as its prompt; expected text or an element.",
      );
    }
    return "agent";
  }
  if (content === "text" || content === "elements") {
    throw frameError("TASK_AGENT_REQUIRED", element, "has a prompt but no agent.");
  }
  return content === "function" ? "compute" : "static";
}

/**
 * Puts what stands between the tags into the descriptor. This is the part of a
 * task that may differ in every render without the plan being another one, so it
 * is also how a mounted descriptor is brought up to date.
 */
export function applyContent(element: HostElement, task: TaskDescriptor, extraction: Extraction): void {
  const { children } = element.props;
  if (typeof children === "function") {
    task.computeFn = children as ComputeFn;
    delete task.prompt;
  } else if (task.kind === "static") {
    task.staticPayload = children;
  } else {
    refuseWorkflowElements(element);
    task.prompt = extraction.promptOf(element);
    delete task.computeFn;
  }
}

function refuseWorkflowElements(element: HostElement): void {
  for (const child of element.children) {
    if (child.kind === "text") continue;
    if (child.tag.charCodeAt(0) < 97) {
      throw frameError("WORKFLOW_TREE_INVALID", child, "stands inside the prompt of a task.");
    }
    refuseWorkflowElements(child);
  }
}
