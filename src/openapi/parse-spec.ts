import { createRequire } from "node:module";
import type { Document, Node } from "yaml";
import { ServiceError } from "../errors/service-error.js";
import { excessOf, MOST_BYTES, MOST_YAML_BYTES, tooLarge } from "./document-limits.js";
import { asRecord, type OpenApiSpec } from "./spec.js";

/**
 * The document in a JSON or YAML text. `source` names the text in errors.
 * Throws OPENAPI_SPEC_LOAD_FAILED with line and column where the text is
 * malformed, or with the version it has where that is not 3.x.
 */
export function parseSpec(text: string, source: string): OpenApiSpec {
  if (Buffer.byteLength(text) > MOST_BYTES) throw loadFailure(source, tooLarge(MOST_BYTES));
  return checkSpecVersion(parseText(text.replace(/^\uFEFF/, ""), source), source);
}

function parseText(text: string, source: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // JSON is YAML too, and the YAML parser knows where it stopped.
    }
  }
  if (Buffer.byteLength(text) > MOST_YAML_BYTES) {
    throw loadFailure(source, `${tooLarge(MOST_YAML_BYTES)}, the limit for YAML; convert it to JSON`);
  }
  const { LineCounter, parseDocument, isMap, isScalar, isSeq } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, uniqueKeys: false });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    const reason = problem.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "");
    throw loadFailure(
      source,
      `is neither valid JSON nor valid YAML: ${reason} at line ${line}, column ${col}`,
      {
        details: { line, column: col },
      },
    );
  }
  const twice = duplicateKey(document, { isMap, isScalar, isSeq });
  if (twice !== undefined) {
    const { line, col } = lines.linePos(twice.offset);
    throw loadFailure(
      source,
      `has the key ${JSON.stringify(twice.key)} twice in one map at line ${line}, column ${col}`,
      { details: { line, column: col } },
    );
  }
  try {
    return document.toJS();
  } catch (cause) {
    // Aliases that multiply beyond any use are refused by the parser here.
    throw loadFailure(source, `cannot be expanded: ${(cause as Error).message}`, { cause });
  }
}

/** The YAML package takes long to load, and JSON documents never need it. */
function yaml(): typeof import("yaml") {
  return createRequire(import.meta.url)("yaml") as typeof import("yaml");
}

/** The value as a document. Throws OPENAPI_SPEC_LOAD_FAILED unless it is one of version 3. */
export function checkSpecVersion(value: unknown, source: string): OpenApiSpec {
  const document = asRecord(value);
  if (document === undefined) {
    throw loadFailure(source, `holds ${kindOf(value)} where an OpenAPI object is expected`);
  }
  if (document["swagger"] !== undefined) {
    throw loadFailure(
      source,
      `is a Swagger ${String(document["swagger"])} document; only OpenAPI 3.0 and 3.1 are supported`,
    );
  }
  const version = document["openapi"];
  // An unquoted `openapi: 3.0` reaches us as a number.
  if (typeof version !== "string" && typeof version !== "number") {
    throw loadFailure(source, "has no `openapi` field that gives its version");
  }
  if (!/^3(\.|$)/.test(String(version))) {
    throw loadFailure(
      source,
      `is an OpenAPI ${String(version)} document; only OpenAPI 3.0 and 3.1 are supported`,
    );
  }
  const excess = excessOf(document);
  if (excess !== undefined) throw loadFailure(source, excess);
  return document as OpenApiSpec;
}

/** `reason` continues "The OpenAPI document <source> …". */
export function loadFailure(
  source: string,
  reason: string,
  options: { cause?: unknown; details?: Record<string, unknown>; retryable?: boolean } = {},
): ServiceError {
  return new ServiceError("OPENAPI_SPEC_LOAD_FAILED", `The OpenAPI document ${source} ${reason}.`, {
    ...options,
    details: { source, ...options.details },
  });
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "plain text" : `a ${typeof value}`;
}

/**
 * The second of two equal keys in one map of a YAML document. The parser's own search compares each
 * key with every other one: twenty thousand of them take it twelve seconds.
 */
function duplicateKey(
  document: Document,
  { isMap, isScalar, isSeq }: Pick<typeof import("yaml"), "isMap" | "isScalar" | "isSeq">,
): { key: string; offset: number } | undefined {
  const pending: unknown[] = [document.contents];
  while (pending.length > 0) {
    const node = pending.pop();
    if (isSeq(node)) for (const item of node.items) pending.push(item);
    if (!isMap(node)) continue;
    const names = new Set<unknown>();
    for (const { key, value } of node.items) {
      pending.push(key, value);
      // Two maps may both be merged into one.
      if (!isScalar(key) || key.value === "<<") continue;
      if (names.has(key.value)) return { key: String(key.value), offset: (key as Node).range?.[0] ?? 0 };
      names.add(key.value);
    }
  }
  return undefined;
}
