import type { RunAuthContext } from "./run-auth.js";
import type { OutputSide } from "./row-schema.js";
import type { InputOf, OutputKeyOf, OutputRow, OutputTarget, RowOfTarget, SchemaMap } from "./schema.js";

/** The address of a row within a run. */
export interface OutputKey {
  nodeId: string;
  /** Default: the current iteration for nodes of the current loop, the latest one otherwise. */
  iteration?: number;
}

/** An array of rows per schema key, in order of completion; also callable with a key. */
export type OutputsAccessor<S extends SchemaMap> = {
  readonly [K in OutputKeyOf<S>]: readonly OutputRow<OutputSide<S[K]>>[];
} & (<K extends OutputKeyOf<S>>(table: K) => readonly OutputRow<OutputSide<S[K]>>[]);

/**
 * The part of a run that its render may read. Reads are live: a function that runs later
 * sees the rows of that moment.
 */
export interface WorkflowContext<S extends SchemaMap = SchemaMap> {
  readonly runId: string;
  /**
   * Iteration of the innermost loop around the caller. Outside every loop: of the
   * first loop in the tree that is not done, else of the last one; without loops
   * `initialIteration`, 0 by default.
   */
  readonly iteration: number;
  /** Iteration per loop id; undefined for loops that are not mounted. */
  readonly iterations: Readonly<Record<string, number | undefined>>;
  /** The run's input as given. It, `auth`, `config` and `continuation` are frozen: take a copy of what is to be sorted. */
  readonly input: Readonly<InputOf<S>>;
  /** The user who started the run; null when none was given. */
  readonly auth: RunAuthContext | null;
  /** The option `config` of the run: JSON, the same in every resume that does not give another. {} without one. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Rows by schema key. */
  readonly outputs: OutputsAccessor<S>;
  /** State handed over by the run this one continues; undefined otherwise. */
  readonly continuation: unknown;
  /** The row of a node. @throws MISSING_OUTPUT */
  output<T extends OutputTarget<S>>(table: T, key: OutputKey): OutputRow<RowOfTarget<S, T>>;
  /** The row of a node, or undefined. */
  outputMaybe<T extends OutputTarget<S>>(table: T, key: OutputKey): OutputRow<RowOfTarget<S, T>> | undefined;
  /** The row of a node's highest iteration, or undefined. Of a loop inside the caller's own only those of its round. */
  latest<T extends OutputTarget<S>>(table: T, nodeId: string): OutputRow<RowOfTarget<S, T>> | undefined;
  /** The members of an array (or of JSON text of one) that `schema` accepts, parsed; [] for anything else. */
  latestArray<T>(value: unknown, schema: SafeParser<T>): T[];
  /** Number of iterations of a node that have a row, of the same ones as `latest`. */
  iterationCount(table: OutputTarget<S>, nodeId: string): number;
  /** SQL name of the generated table. @throws UNKNOWN_OUTPUT_SCHEMA */
  resolveTableName(table: OutputTarget<S>): string;
  /** As outputMaybe. */
  resolveRow<T extends OutputTarget<S>>(table: T, key: OutputKey): OutputRow<RowOfTarget<S, T>> | undefined;
}

export interface SafeParser<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}
