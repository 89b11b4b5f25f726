import { asRecord } from "./spec.js";

/**
 * Where a local `$ref` (`#/components/schemas/Pet`) leads, following references
 * to references. Undefined when the target is missing, lies in another
 * document, or the references only lead to each other.
 *
 * References are followed when they are met and never expanded in place, so a
 * document may refer to itself in any way.
 */
export function resolveReference(document: unknown, ref: string): unknown {
  const followed = new Set<string>();
  let next = ref;
  for (;;) {
    if (followed.has(next) || !next.startsWith("#")) return undefined;
    followed.add(next);
    const target = atPointer(document, next.slice(1));
    const further = asRecord(target)?.["$ref"];
    // A schema may carry constraints beside its `$ref`; such a target is more than an alias.
    if (typeof further !== "string" || hasSiblings(target)) return target;
    next = further;
  }
}

/** The value itself, or what its `$ref` leads to. */
export function follow(document: unknown, value: unknown): unknown {
  let current = value;
  for (let hops = 0; hops < LONGEST_CHAIN; hops += 1) {
    const ref = asRecord(current)?.["$ref"];
    if (typeof ref !== "string") return current;
    current = resolveReference(document, ref);
  }
  return undefined;
}

const LONGEST_CHAIN = 32;

function hasSiblings(value: unknown): boolean {
  return Object.keys(value as object).length > 1;
}

function atPointer(document: unknown, pointer: string): unknown {
  if (pointer === "") return document;
  if (!pointer.startsWith("/")) return undefined;
  let value = document;
  for (const segment of pointer.slice(1).split("/")) {
    const key = unescapeSegment(segment);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function unescapeSegment(segment: string): string {
  return percentDecoded(segment).replaceAll("~1", "/").replaceAll("~0", "~");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
