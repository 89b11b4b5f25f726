import type { WorkflowContext } from "./context.js";
import { type IdScope, idInside, RUN_SCOPE, seesNode } from "./id-scope.js";
import { pathOfScope } from "./address.js";
import type { RenderRuntime } from "./render-runtime.js";
import type { SchemaRegistryEntry } from "./workflow.js";

/** The own parts of a workflow that is rendered into a run. */
export interface EmbeddedView {
  readonly input: Readonly<Record<string, unknown>>;
  /** Schema key of an output target of that workflow; undefined for anything else. */
  keyOf(target: unknown): string | undefined;
  /** Of its ids. @default that of the run */
  readonly scope?: IdScope;
  /** Knows the other scopes of the run. @default there are none */
  readonly runtime?: Pick<RenderRuntime, "control" | "controlIds">;
}

/** Members whose first argument is an output target, and the second one a node, if there is one. */
const READERS: ReadonlySet<string | symbol> = new Set([
  "output",
  "outputMaybe",
  "latest",
  "iterationCount",
  "resolveTableName",
  "resolveRow",
] satisfies (keyof WorkflowContext)[]);

/**
 * The same run seen by a workflow that is rendered into it: the input is its own, and its output
 * targets mean the outputs of the same key, and its ids those of its scope.
 */
export function embeddedView(ctx: WorkflowContext, view: EmbeddedView): WorkflowContext {
  return new Proxy(ctx, {
    get(target, name) {
      if (name === "input") return view.input;
      const member: unknown = Reflect.get(target, name);
      if (READERS.has(name)) return translated(member as Reader, view);
      if (name === "outputs") return outputsIn(member as Outputs, view);
      return name === "iterations" ? iterationsIn(member as Iterations, view) : member;
    },
  });
}

type Reader = (target: unknown, ...rest: unknown[]) => unknown;
type Iterations = WorkflowContext["iterations"];
type Rows = readonly { readonly nodeId: string }[];
type Outputs = (target: unknown) => Rows;

function translated(reader: Reader, { keyOf, scope = RUN_SCOPE }: EmbeddedView): Reader {
  return new Proxy(reader, {
    apply: (read, self, [target, node, ...rest]) =>
      Reflect.apply(read, self, [keyOf(target) ?? target, nodeInside(scope, node), ...rest]),
  });
}

/** The reader refuses values that are no id. */
function nodeInside(scope: IdScope, node: unknown): unknown {
  if (typeof node === "string") return idInside(scope, node);
  const { nodeId } = (node ?? {}) as { nodeId?: unknown };
  return typeof nodeId === "string" ? { ...(node as object), nodeId: idInside(scope, nodeId) } : node;
}

/** All rows of an output, those of scopes beside this one aside. */
function outputsIn(outputs: Outputs, { keyOf, scope = RUN_SCOPE, runtime }: EmbeddedView): Outputs {
  const prefixes = prefixesOf(runtime);
  const own = (rows: Rows): Rows => rows.filter(({ nodeId }) => seesNode(scope, nodeId, prefixes));
  const isAlone = prefixes.length === 0 && scope.prefix === "";
  return new Proxy(outputs, {
    apply(read, self, [target, ...rest]) {
      const rows: Rows = Reflect.apply(read, self, [keyOf(target) ?? target, ...rest]);
      return isAlone ? rows : own(rows);
    },
    get(read, name) {
      const rows: unknown = Reflect.get(read, name);
      return Array.isArray(rows) && !isAlone ? own(rows) : rows;
    },
  });
}

/** Those of its own loops, by the ids that the workflow gives them and, for a view of this one, by those of the run. */
function iterationsIn(iterations: Iterations, { scope: { prefix } = RUN_SCOPE }: EmbeddedView): Iterations {
  if (prefix === "") return iterations;
  const own = Object.entries(iterations).filter(([id]) => id.startsWith(prefix));
  const written = own.map(([id, iteration]) => [id.slice(prefix.length), iteration] as const);
  return Object.fromEntries([...own, ...written]);
}

function prefixesOf(runtime: EmbeddedView["runtime"]): string[] {
  const prefixes: string[] = [];
  for (const id of runtime?.controlIds() ?? []) {
    const state = pathOfScope(id) === undefined ? undefined : runtime?.control(id);
    if (state?.kind === "inline" && state.prefix !== "") prefixes.push(state.prefix);
  }
  return prefixes;
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
