import type { SpecParameter } from "./parameters.js";
import type { SpecBody } from "./request-body.js";
import { asRecord, asText } from "./spec.js";

/** A parameter together with the property of the tool's input that holds its value. */
export interface InputParameter extends SpecParameter {
  readonly key: string;
}

/** Names of properties that model providers accept. */
const KEY_PATTERN = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * The property of a tool's input for each parameter, and for the body. A
 * parameter keeps its name where that is a legal property; of two with one name
 * the first keeps it (path before query before header) and the other gets its
 * place as a suffix. The body is `body`, or `requestBody` beside a parameter of
 * that name, with further underscores in front if that is taken too.
 */
export function inputKeys(
  parameters: readonly SpecParameter[],
  hasBody: boolean,
): { parameters: string[]; body: string } {
  const taken = new Set<string>();
  const keys = parameters.map(({ name, in: place }) => {
    const plain = legalKey(name);
    let key = taken.has(plain) ? `${plain.slice(0, 50)}_${place}` : plain;
    for (let n = 2; taken.has(key); n += 1) key = `${plain.slice(0, 50)}_${place}_${n}`;
    taken.add(key);
    return key;
  });
  let body = taken.has("body") && hasBody ? "requestBody" : "body";
  while (hasBody && taken.has(body)) body = `_${body}`;
  return { parameters: keys, body };
}

/** `filter[name]` → `filter_name`, `$top` → `top`. */
function legalKey(name: string): string {
  if (KEY_PATTERN.test(name)) return name;
  const legal = name.replace(/[^a-zA-Z0-9_.-]+/g, "_").replace(/^_+|_+$/g, "");
  return legal.slice(0, 64) || "parameter";
}

/** The object schema of a tool's input. Its references still point into the document. */
export function toolInputSchema(
  parameters: readonly InputParameter[],
  body: (SpecBody & { key: string }) | undefined,
): Record<string, unknown> {
  const properties = new Map<string, unknown>();
  const required: string[] = [];
  for (const parameter of parameters) {
    properties.set(parameter.key, describedSchema(parameter));
    if (parameter.required) required.push(parameter.key);
  }
  if (body !== undefined) {
    properties.set(body.key, withDescription(body.schema, body.description));
    if (body.required) required.push(body.key);
  }
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function describedSchema({ key, name, in: place, description, schema, deprecated }: InputParameter): unknown {
  const parts = [
    description ?? asText(asRecord(schema)?.["description"]),
    key === name ? undefined : `Sent as the ${place} parameter ${JSON.stringify(name)}.`,
  ].filter((part) => part !== undefined);
  const described = withDescription(schema, parts.join(" "));
  return deprecated ? { ...asRecord(described), deprecated } : described;
}

function withDescription(schema: unknown, description: string | undefined): unknown {
  if (description === undefined || description === "") return schema;
  return { ...asRecord(schema), description };
}
