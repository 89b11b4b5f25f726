import { isRecord } from "../../util/is-record.js";

/** A member of an input, as a form asks for it. */
export interface Field {
  name: string;
  /** `json`: what has no control of its own is written as JSON. */
  kind: "text" | "number" | "flag" | "choice" | "json";
  isRequired: boolean;
  description: string | undefined;
  /** Of a choice. */
  choices: readonly string[];
}

/** The fields of a JSON Schema of an object; undefined for any other, which is written as JSON as a whole. */
export function schemaFields(schema: unknown): Field[] | undefined {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return undefined;
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, member]) => {
    const of = isRecord(member) ? member : {};
    const choices = Array.isArray(of["enum"]) ? of["enum"].filter((one) => typeof one === "string") : [];
    return {
      name,
      kind: kindOf(of["type"], choices),
      isRequired: names.includes(name) && !("default" in of),
      description: typeof of["description"] === "string" ? of["description"] : undefined,
      choices,
    };
  });
}

function kindOf(type: unknown, choices: readonly string[]): Field["kind"] {
  if (choices.length > 0) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "flag" : "json";
}

/** What each control shows for an input. */
export function textsOf(fields: readonly Field[], input: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = input[name];
      if (value === undefined) return [name, ""];
      return [name, kind === "json" ? JSON.stringify(value, null, 2) : String(value)];
    }),
  );
}

export type GivenInput = { input: Record<string, unknown> } | { problems: Record<string, string> };

/** The input that the controls say. An empty one that is not required is left out: the schema's default holds. */
export function readInput(fields: readonly Field[], texts: Readonly<Record<string, string>>): GivenInput {
  const input: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const { name, kind, isRequired } of fields) {
    const text = texts[name] ?? "";
    if (text === "") {
      if (kind === "text" && isRequired) input[name] = "";
      else if (isRequired) problems[name] = "This is needed.";
      continue;
    }
    if (kind === "number") {
      if (Number.isFinite(Number(text))) input[name] = Number(text);
      else problems[name] = "This is not a number.";
    } else if (kind === "flag") input[name] = text === "true";
    else if (kind === "json") {
      try {
        input[name] = JSON.parse(text) as unknown;
      } catch {
        problems[name] = "This is not JSON.";
      }
    } else input[name] = text;
  }
  return Object.keys(problems).length > 0 ? { problems } : { input };
}
