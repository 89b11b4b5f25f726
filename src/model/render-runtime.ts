import type { SerializedError } from "../errors/ensure-error.js";
import type { EnclosingLoop } from "./address.js";
import type { WorkflowContext } from "./context.js";
import type { ControlState } from "./plan.js";
import type { SchemaRegistryEntry } from "./workflow.js";

/**
 * Ties a Loop or TryCatchFinally component to its element: made once per
 * mount and put on the element as the prop `token`. An element without an `id`
 * gets one made of its position, which only the finished tree knows; the
 * extractor writes it here, and the component reads it in the next render.
 */
export interface ControlToken {
  /** The prop `id`. */
  readonly given: string | undefined;
  id: string | undefined;
}

/**
 * Ties an inline subflow to its element. Whether its ids are free is known by the finished tree, and as soon as they
 * are not, the extractor writes the prefix that they get here, and the component reads it in the next render.
 */
export interface InlineToken {
  readonly path: string;
  prefix: string | undefined;
}

/** The questions that a render may ask of its run. Answers must not change while a frame is being rendered. */
export interface RenderRuntime {
  /** The context as code inside these loops (outermost first) sees it. */
  ctxFor(loops: readonly EnclosingLoop[]): WorkflowContext;
  /** Progress of a loop, saga or try block, or the scope of an inline subflow; undefined before the scheduler has seen it. */
  control(id: string): ControlState | undefined;
  /** Why a node has failed for good, as `TaskRuntime.failure` says it to a task inside these loops. */
  failure(nodeId: string, loops: readonly EnclosingLoop[]): SerializedError | null;
  /** Ids under which loops, blocks and inline subflows of the run are stored, or begin as its options say. */
  controlIds(): Iterable<string>;
  /** Whether a node was ever mounted under this id. */
  hasNode(nodeId: string): boolean;
  /** The folder of the run, absolute: places of errors are relative to it. */
  readonly rootDir: string;
  /** The run's queue, for the work of workflows that name none; null = none. The same in every frame of a renderer. */
  readonly queue: string | null;
}

/** An output target, resolved. */
export interface ResolvedOutput extends SchemaRegistryEntry {
  /** Schema key. */
  outputKey: string;
  /** SQL name of the generated table. */
  tableName: string;
  /** Changes when the shape of the schema changes. */
  signature: string;
}

/** The outputs and limits that a workflow knows. */
export interface OutputRegistry {
  /** Names of the limits that it declares. */
  readonly limitNames: readonly string[];
  /** Undefined for anything that is not an output of the workflow. Called once per mounted task, not per frame. */
  resolveOutput(target: unknown): ResolvedOutput | undefined;
  /** Keys of which the target, a schema object that they share, may mean any. */
  keysSharing(target: unknown): readonly string[];
}
