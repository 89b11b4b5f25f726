import type { WorkflowContext } from "./context.js";
import type { SchemaRegistryEntry } from "./workflow.js";

/** What a workflow that is rendered into a run has of its own. */
export interface EmbeddedView {
  readonly input: Readonly<Record<string, unknown>>;
  /** Schema key of an output target of that workflow; undefined for anything else. */
  keyOf(target: unknown): string | undefined;
}

/** Members whose first argument is an output target. */
const READERS: ReadonlySet<string | symbol> = new Set([
  "output",
  "outputMaybe",
  "latest",
  "iterationCount",
  "resolveTableName",
  "resolveRow",
  "outputs",
] satisfies (keyof WorkflowContext)[]);

/**
 * The same run seen by a workflow that is rendered into it: the input is its own, and its output
 * targets mean the outputs of the same key.
 */
export function embeddedView(ctx: WorkflowContext, { input, keyOf }: EmbeddedView): WorkflowContext {
  return new Proxy(ctx, {
    get(target, name) {
      if (name === "input") return input;
      const member: unknown = Reflect.get(target, name);
      return READERS.has(name) ? translated(member as Reader, keyOf) : member;
    },
  });
}

type Reader = (target: unknown, ...rest: unknown[]) => unknown;

function translated(reader: Reader, keyOf: EmbeddedView["keyOf"]): Reader {
  return new Proxy(reader, {
    apply: (read, self, [target, ...rest]) => Reflect.apply(read, self, [keyOf(target) ?? target, ...rest]),
  });
}

/** How a workflow value names its outputs. */
export function keyOfTarget(workflow: unknown, target: unknown): string | undefined {
  const { zodToKeyName } = workflow as { zodToKeyName?: ReadonlyMap<unknown, string> };
  return zodToKeyName?.get(target);
}

/** The output keys between which a schema object was shared: they have copies, so it alone means none of them. */
export function keysSharing(workflow: unknown, target: unknown): string[] {
  if (typeof target !== "object" || target === null) return [];
  const { schemaRegistry } = workflow as { schemaRegistry?: ReadonlyMap<string, SchemaRegistryEntry> };
  return [...(schemaRegistry ?? [])].flatMap(([key, { zodSchema }]) =>
    zodSchema._zod.parent === target ? [key] : [],
  );
}
