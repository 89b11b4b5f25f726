import { isTransportHeader } from "../network/transport-headers.js";
import { follow } from "./reference.js";
import { asRecord, asText } from "./spec.js";
import type { SpecOperation } from "./operations.js";

export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject";

/** A parameter of an operation that tools can send. */
export interface SpecParameter {
  /** As it appears in the request. */
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Set for a parameter described by `content`: the value travels as JSON. */
  readonly asJson: boolean;
  readonly schema: unknown;
  readonly description?: string;
  readonly deprecated: boolean;
}

export interface OperationParameters {
  /** Path parameters first, in the order of the template. */
  readonly sendable: readonly SpecParameter[];
  readonly cookies: readonly { name: string; required: boolean }[];
  /** Sentences about entries that are not usable. */
  readonly problems: readonly string[];
}

/**
 * The parameters of an operation: those of the path, overridden by its own by
 * name and place. Every placeholder of the path has one, declared or not.
 */
export function parametersOf(
  spec: unknown,
  { path, pathItem, operation }: SpecOperation,
): OperationParameters {
  const declared = new Map<string, Record<string, unknown>>();
  const problems: string[] = [];
  for (const list of [pathItem["parameters"], operation["parameters"]]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const parameter = asRecord(follow(spec, entry));
      const problem = problemOf(parameter, entry);
      if (parameter === undefined || problem !== undefined) {
        problems.push(`A parameter was left out: ${problem}.`);
        continue;
      }
      const { name, in: place } = parameter;
      // Header names are the same in any case.
      declared.set(`${place} ${place === "header" ? String(name).toLowerCase() : name}`, parameter);
    }
  }
  const inPath = pathPlaceholders(path).map((name) =>
    toParameter(spec, declared.get(`path ${name}`) ?? { name, in: "path", schema: { type: "string" } }),
  );
  const others = [...declared.values()].filter(({ in: place }) => place === "query" || place === "header");
  return {
    sendable: [...inPath, ...others.filter(isSent).map((parameter) => toParameter(spec, parameter))],
    cookies: [...declared.values()]
      .filter(({ in: place }) => place === "cookie")
      .map(({ name, required }) => ({ name: String(name), required: required === true })),
    problems,
  };
}

/** Names between braces: `/pets/{petId}` has `petId`. */
function pathPlaceholders(path: string): string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string))];
}

function toParameter(spec: unknown, raw: Record<string, unknown>): SpecParameter {
  const place = raw["in"] as SpecParameter["in"];
  const styles = STYLES[place];
  const style = styles.find((candidate) => candidate === raw["style"]) ?? (styles[0] as ParameterStyle);
  const media = Object.values(asRecord(raw["content"]) ?? {})[0];
  const description = asText(raw["description"]);
  return {
    name: raw["name"] as string,
    in: place,
    required: place === "path" || raw["required"] === true,
    style,
    explode: typeof raw["explode"] === "boolean" ? raw["explode"] : style === "form",
    allowReserved: raw["allowReserved"] === true,
    asJson: raw["schema"] === undefined && media !== undefined,
    schema: raw["schema"] ?? asRecord(follow(spec, media))?.["schema"] ?? {},
    deprecated: raw["deprecated"] === true,
    ...(description !== undefined && { description }),
  };
}

/** Per place: the styles it may have, the default first. */
const STYLES: Record<SpecParameter["in"], readonly ParameterStyle[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
};

/** OpenAPI says that the first three describe something else; cookies are parameters of their own. */
const HEADERS_NOT_SENT = new Set(["accept", "authorization", "content-type", "cookie"]);

function isSent(parameter: Record<string, unknown>): boolean {
  const name = String(parameter["name"]).toLowerCase();
  return parameter["in"] !== "header" || !(HEADERS_NOT_SENT.has(name) || isTransportHeader(name));
}

const PLACES = new Set<unknown>(["path", "query", "header", "cookie"]);
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

function problemOf(parameter: Record<string, unknown> | undefined, entry: unknown): string | undefined {
  const ref = asText(asRecord(entry)?.["$ref"]);
  if (parameter === undefined && ref !== undefined) return `${ref} is not part of this document`;
  const name = asText(parameter?.["name"]);
  if (name === undefined || !PLACES.has(parameter?.["in"])) return "it has no name, or no place of its own";
  if (parameter?.["in"] === "header" && !HEADER_NAME.test(name)) {
    return `${JSON.stringify(name)} is no header name`;
  }
  return undefined;
}
