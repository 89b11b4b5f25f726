import type { WorkflowElement } from "../../util/element.js";

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
export function promptJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? String(part) : part), 2);
}
