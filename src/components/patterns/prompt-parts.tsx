import type { WorkflowElement, WorkflowNode } from "../../util/element.js";

/** A heading and a value as fenced JSON: how a prompt shows rows. Nothing without a value. */
export function jsonSection(title: string, value: unknown): WorkflowElement | null {
  if (value === undefined) return null;
  return (
    <section key={title}>
      <h2>{title}</h2>
      <pre>
        <code className="language-json">{promptJson(value)}</code>
      </pre>
    </section>
  );
}

/** Rows are printed without their address, in the order of their schema. */
function promptJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? String(part) : part), 2);
}

/** The content between the tags of a composite: a prompt cannot be empty. */
export function taskText(children: WorkflowNode): WorkflowNode {
  return children ?? "Do the task that your instructions describe.";
}

/** The same, to an agent that is asked something else about it. */
export function quotedTask(title: string, children: WorkflowNode): WorkflowElement {
  return (
    <section>
      <h2>{title}</h2>
      <blockquote>{taskText(children)}</blockquote>
    </section>
  );
}
