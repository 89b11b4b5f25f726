import { contentKind } from "../../model/content-kind.js";
import type { HostElement } from "../../model/host-node.js";
import type { ComputeFn, TaskDescriptor } from "../../model/task.js";
import { frameError } from "../frame-error.js";
import { markdownOf } from "../markdown.js";

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
export function applyContent(element: HostElement, task: TaskDescriptor): void {
  const { children } = element.props;
  if (typeof children === "function") {
    task.computeFn = children as ComputeFn;
    delete task.prompt;
  } else if (task.kind === "static") {
    task.staticPayload = children;
  } else {
    task.prompt = markdownOf(element);
    delete task.computeFn;
  }
}
