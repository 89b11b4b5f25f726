import { toJSONSchema, type ZodType } from "zod";
import { ServiceError } from "../errors/service-error.js";
import type { MemoryFact, WorkingMemoryConfig } from "../model/memory.js";
import { namespaceText } from "../model/memory-namespace.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { FactAddress } from "../store/index.js";
import { shortHash } from "../util/hash.js";
import { stableJson } from "../util/stable-json.js";
import { checkedTtl, factAddress, factJson } from "./checked.js";

/** Facts of one namespace and one shape. */
export interface WorkingMemory<Value = unknown> {
  readonly namespace: string;
  /** @throws MEMORY_SCHEMA_MISMATCH for a fact that does not fit the schema */
  get(key: string): Promise<Value | undefined>;
  /** @throws INVALID_INPUT for a value that does not fit the schema, or is no JSON */
  set(key: string, value: Value): Promise<MemoryFact>;
  /** False when there was none. */
  delete(key: string): Promise<boolean>;
  /** Values by key. @throws MEMORY_SCHEMA_MISMATCH */
  entries(): Promise<[key: string, value: Value][]>;
}

/** The part of a store that working memory uses. */
export interface FactSource {
  getFact(namespace: string, key: string): Promise<MemoryFact | undefined>;
  deleteFact(namespace: string, key: string): Promise<boolean>;
  listFacts(namespace: string): Promise<MemoryFact[]>;
  write(
    address: FactAddress,
    fact: { valueJson: string; ttlMs?: number; schemaSig?: string },
  ): Promise<MemoryFact>;
}

const RULES = {
  schema: rules.checked("a zod schema", isSchema),
  namespace: rules.required(rules.anything),
  ttlMs: rules.anything,
} satisfies rules.OptionRules<WorkingMemoryConfig>;

/** @throws INVALID_INPUT */
export function workingMemory<Value>(
  source: FactSource,
  config: WorkingMemoryConfig<Value>,
): WorkingMemory<Value> {
  checkOptions<WorkingMemoryConfig, typeof RULES>("workingMemory", config, RULES);
  const namespace = namespaceText(config.namespace);
  const ttlMs = checkedTtl(config.ttlMs);
  // A `ValueSchema` is what types ask of a schema of zod 4.
  const schema = config.schema as unknown as ZodType<Value> | undefined;
  const schemaSig = schema && signatureOf(schema);
  const read = ({ key, valueJson }: MemoryFact): Value => {
    const value: unknown = JSON.parse(valueJson);
    if (schema === undefined) return value as Value;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw mismatch("MEMORY_SCHEMA_MISMATCH", `The fact ${key} of ${namespace}`, parsed.error);
  };
  return {
    namespace,
    async get(key) {
      const fact = await source.getFact(namespace, key);
      return fact === undefined ? undefined : read(fact);
    },
    async set(key, value) {
      const address = factAddress(namespace, key);
      const problem = schema?.safeParse(value).error;
      if (problem !== undefined)
        throw mismatch("INVALID_INPUT", `The value for ${key} of ${namespace}`, problem);
      return source.write(address, {
        // As it was given, not as the schema makes it: a transform would be applied twice.
        valueJson: factJson(value, address),
        ...(ttlMs !== undefined && { ttlMs }),
        ...(schemaSig !== undefined && { schemaSig }),
      });
    },
    delete: (key) => source.deleteFact(namespace, key),
    async entries() {
      return (await source.listFacts(namespace)).map((fact) => [fact.key, read(fact)]);
    },
  };
}

function signatureOf(schema: ZodType): string {
  return shortHash(stableJson(toJSONSchema(schema, { unrepresentable: "any", io: "input" })));
}

function isSchema(value: unknown): boolean {
  return typeof (value as { safeParse?: unknown } | null)?.safeParse === "function";
}

/** Shown of a schema's complaints at most. */
const MOST_ISSUES = 10;

function mismatch(
  code: "INVALID_INPUT" | "MEMORY_SCHEMA_MISMATCH",
  subject: string,
  { issues }: { issues: readonly { path: readonly PropertyKey[]; message: string }[] },
): ServiceError {
  const reported = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    return `${path.map(String).join(".") || "(value)"}: ${message}`;
  });
  return new ServiceError(code, `${subject} does not fit its schema: ${reported.join("; ")}.`, {
    details: { issues: reported },
  });
}
