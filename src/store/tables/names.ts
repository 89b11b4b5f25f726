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
    if (step === ANY_ELEMENT) text += step;
    else if (typeof step === "number") text += `[${step}]`;
    else if (!/^[A-Za-z_$][\w$]*$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
