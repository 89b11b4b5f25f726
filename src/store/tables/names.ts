import { memberPath } from "../../util/value-path.js";

/** `reviewNotes` → `review_notes`, `HTTPServer` → `http_server`, `plan-b` → `plan_b`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[\s.-]+/g, "_")
    .toLowerCase();
}

/** A name as SQL text that means exactly this name in every dialect. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Step of a path in a schema that stands for any element. */
export const ANY_ELEMENT = "[]";

/** `nodes[2].title`, `nodes[].title`, `["odd key"]`: a place inside a value or a schema, as messages show it. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const step of path) {
    text = step === ANY_ELEMENT ? text + step : memberPath(text, step);
  }
  return text;
}
