import { sha256Hex } from "../util/hash.js";
import type { LoadedSpec } from "./load-spec.js";
import { follow } from "./reference.js";
import { asRecord, asText, type OperationMethod } from "./spec.js";
import type { OpenApiWarning } from "./warning.js";

/** One operation of a document, before any tool is made of it. */
export interface SpecOperation {
  /** The document's id, or the derived one where it has none of its own. Unique. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Template: `/pets/{petId}`. */
  readonly path: string;
  readonly operation: Record<string, unknown>;
  readonly pathItem: Record<string, unknown>;
}

export interface OperationIndex {
  /** In document order. */
  readonly operations: readonly SpecOperation[];
  readonly warnings: readonly OpenApiWarning[];
}

const METHODS: readonly OperationMethod[] = ["get", "post", "put", "delete", "patch"];

/** Every operation under `paths`, each with an id of its own. */
export function indexOperations({ spec }: LoadedSpec): OperationIndex {
  const found: Omit<SpecOperation, "id">[] = [];
  const warnings: OpenApiWarning[] = [];
  for (const [path, item] of Object.entries(asRecord(spec.paths) ?? {})) {
    if (path.startsWith("x-")) continue;
    const pathItem = asRecord(follow(spec, item));
    if (pathItem === undefined) {
      if (item !== null && item !== undefined) warnings.push(unreadablePath(path, item));
      continue;
    }
    for (const method of METHODS) {
      const operation = asRecord(follow(spec, pathItem[method]));
      if (operation !== undefined) found.push({ method: method.toUpperCase(), path, operation, pathItem });
    }
  }
  return { operations: withIds(found, warnings), warnings };
}

/**
 * Ids in two rounds, so that an id written in the document is never taken away
 * by one derived from a path.
 */
function withIds(found: Omit<SpecOperation, "id">[], warnings: OpenApiWarning[]): SpecOperation[] {
  const taken = new Set<string>();
  const own = found.map(({ operation }) => {
    const id = asText(operation["operationId"]);
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
  return found.map((entry, index) => {
    const id = own[index] ?? derivedId(entry.method, entry.path, taken);
    const written = asText(entry.operation["operationId"]);
    if (written !== undefined && written !== id) {
      const message = `The operationId ${JSON.stringify(written)} is used more than once; ${entry.method} ${entry.path} is listed as ${JSON.stringify(id)}.`;
      warnings.push({ kind: "operation-id", operationId: id, message });
    }
    return { id, ...entry };
  });
}

/** `GET /pets/{petId}` → `get_pets_petId`; paths that differ only in punctuation are distinguished by a hash. */
function derivedId(method: string, path: string, taken: Set<string>): string {
  const words = path.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
  const plain = words === "" ? method.toLowerCase() : `${method.toLowerCase()}_${words}`;
  const id = taken.has(plain) ? `${plain}_${sha256Hex(`${method} ${path}`).slice(0, 8)}` : plain;
  taken.add(id);
  return id;
}

function unreadablePath(path: string, item: unknown): OpenApiWarning {
  const ref = asText(asRecord(item)?.["$ref"]);
  const message =
    ref === undefined
      ? `The path ${path} is not an object and was left out.`
      : `The path ${path} refers to ${ref}, which is not part of this document, and was left out.`;
  return { kind: ref === undefined ? "parameter" : "reference", message };
}
