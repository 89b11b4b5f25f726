import { sha256Hex } from "../util/hash.js";
import { wrongOption } from "../options/check-options.js";
import type { SpecOperation } from "./operations.js";

/** Names of tools that model providers accept. */
const TOOL_NAME_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

const LONGEST_NAME = 64;

export interface ToolNaming {
  /** Put before every name. */
  readonly prefix: string;
  /** Name chosen for an operation id. */
  readonly curated: (operationId: string) => string | undefined;
}

/**
 * Operation id → tool name, each valid and unique. Chosen names are taken as
 * they are; the others give way with a hash suffix. Filters play no part, so a
 * tool keeps its name when its neighbours are left out.
 *
 * Throws INVALID_INPUT where a chosen name or the prefix is not valid, or two chosen names are equal.
 */
export function toolNames(operations: readonly SpecOperation[], naming: ToolNaming): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id } of operations) {
    const curated = naming.curated(id);
    if (curated === undefined) continue;
    const name = chosenName(naming.prefix + curated, id);
    if (taken.has(name))
      throw badName(id, `a name of its own: ${JSON.stringify(name)} is chosen for two operations`);
    taken.add(name);
    names.set(id, name);
  }
  for (const { id } of operations) {
    if (names.has(id)) continue;
    const name = generatedName(naming.prefix + id, taken);
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

function chosenName(name: string, operationId: string): string {
  if (TOOL_NAME_PATTERN.test(name)) return name;
  throw badName(operationId, `1 to 64 letters, digits, "_" and "-", which ${JSON.stringify(name)} is not`);
}

function generatedName(wanted: string, taken: ReadonlySet<string>): string {
  const legal = wanted.replace(/[^a-zA-Z0-9_-]+/g, "_");
  if (legal.length <= LONGEST_NAME && !taken.has(legal)) return legal;
  for (let salt = 0; ; salt += 1) {
    const hash = sha256Hex(salt === 0 ? wanted : `${wanted}#${salt}`).slice(0, 8);
    const name = `${legal.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
    if (!taken.has(name)) return name;
  }
}

function badName(operationId: string, expected: string): Error {
  return wrongOption(`operations.${operationId}.name`, expected);
}
