import { inspect } from "node:util";
import { controlId, type EnclosingLoop, roundsIn } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputKey, SafeParser, WorkflowContext } from "../../model/context.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import type { OutputRow } from "../../model/schema.js";
import type { RenderReads } from "./reads.js";
import type { ShownOutputs } from "./shown-outputs.js";

/** The source that context views read from. */
export interface ContextSource {
  readonly runId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly auth: RunAuthContext | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly continuation: unknown;
  readonly outputs: ShownOutputs;
  readonly reads: RenderReads;
  readonly outputKeys: readonly string[];
  outputKeyOf(target: unknown): string;
  tableName(outputKey: string): string;
  /** Iteration of the innermost unfinished loop; 0 without one. */
  currentIteration(): number;
  iterations(): Readonly<Record<string, number | undefined>>;
  /** Control id of the loop a node belongs to, if it ever was in one. */
  loopOf(nodeId: string): string | undefined;
  /** Current iteration of a loop by control id. */
  loopIteration(controlId: string): number;
  /** Full id under which a node written as `nodeId` is, or was last, mounted inside nested loops; undefined without one. */
  nestedAs(nodeId: string): string | undefined;
}

/** The context as code inside `loops` (outermost first) sees it. */
export function createContext(source: ContextSource, loops: readonly EnclosingLoop[]): WorkflowContext {
  return new LoopContext(source, loops) as object as WorkflowContext;
}

/**
 * Functions are its own, since components take them out of it. Accessors are its prototype's: an object with own ones
 * is a slow one, and each frame makes some.
 */
class LoopContext {
  readonly #source: ContextSource;
  readonly #loops: readonly EnclosingLoop[];
  #outputs: unknown;
  readonly runId: string;
  readonly input: ContextSource["input"];
  readonly auth: ContextSource["auth"];
  readonly config: ContextSource["config"];
  readonly continuation: unknown;
  readonly latestArray = latestArray;

  constructor(source: ContextSource, loops: readonly EnclosingLoop[]) {
    this.#source = source;
    this.#loops = loops;
    this.runId = source.runId;
    this.input = source.input;
    this.auth = source.auth;
    this.config = source.config;
    this.continuation = source.continuation;
  }

  get iteration(): number {
    return this.#loops.at(-1)?.iteration ?? this.#source.currentIteration();
  }

  get iterations(): Readonly<Record<string, number | undefined>> {
    return this.#source.iterations();
  }

  get outputs(): unknown {
    this.#outputs ??= createOutputsAccessor(this.#source);
    return this.#outputs;
  }

  readonly output = (target: unknown, key: OutputKey): OutputRow => {
    const outputKey = this.#source.outputKeyOf(target);
    const row = this.#find(outputKey, key);
    if (row !== undefined) return row;
    const at = key.iteration === undefined ? "" : ` at iteration ${key.iteration}`;
    throw new ServiceError("MISSING_OUTPUT", `Task ${key.nodeId} has no row in ${outputKey}${at} yet.`, {
      details: { outputKey, ...key },
    });
  };

  readonly outputMaybe = (target: unknown, key: OutputKey): OutputRow | undefined =>
    this.#find(this.#source.outputKeyOf(target), key);

  readonly resolveRow = this.outputMaybe;

  readonly latest = (target: unknown, nodeId: string): OutputRow | undefined => {
    const { outputs } = this.#source;
    const outputKey = this.#source.outputKeyOf(target);
    return this.#newest(outputKey, nodeId, (id) => outputs.latest(outputKey, id));
  };

  readonly iterationCount = (target: unknown, nodeId: string): number => {
    const { outputs } = this.#source;
    const outputKey = this.#source.outputKeyOf(target);
    return this.#newest(outputKey, nodeId, (id) => outputs.count(outputKey, id) || undefined) ?? 0;
  };

  readonly resolveTableName = (target: unknown): string =>
    this.#source.tableName(this.#source.outputKeyOf(target));

  #find(outputKey: string, key: OutputKey): OutputRow | undefined {
    if (typeof key?.nodeId !== "string") throw wrongAddress('an address such as { nodeId: "draft" }', key);
    let row: OutputRow | undefined;
    this.#eachCandidate(key.nodeId, (id, iteration) => {
      this.#source.reads.node(outputKey, id);
      if (this.#isOfAnotherRound(id)) return false;
      row = this.#rowOf(outputKey, id, key.iteration ?? iteration);
      // A node of a loop around the caller has this address and no other: no row means not yet.
      return row !== undefined || iteration !== undefined;
    });
    return row;
  }

  /** What `read` finds first. */
  #newest<T>(outputKey: string, nodeId: string, read: (id: string) => T | undefined): T | undefined {
    if (typeof nodeId !== "string") throw wrongAddress('the id of a task, such as "draft"', nodeId);
    let found: T | undefined;
    this.#eachCandidate(nodeId, (id) => {
      this.#source.reads.node(outputKey, id);
      if (this.#isOfAnotherRound(id)) return false;
      found = read(id);
      return found !== undefined;
    });
    return found;
  }

  /** Goes through the ids a name may stand for, nearest loop first, each with the iteration it has there, until one is it. */
  #eachCandidate(nodeId: string, isIt: (id: string, iteration?: number) => boolean): void {
    const source = this.#source;
    const loops = this.#loops;
    for (let depth = loops.length - 1; depth >= 0; depth -= 1) {
      const loop = loops[depth] as EnclosingLoop;
      const id = controlId(nodeId, loops.slice(0, depth));
      if (source.loopOf(id) === loop.controlId) {
        if (isIt(id, loop.iteration)) return;
      } else if (depth > 0 && source.loopOf(id) !== undefined && isIt(id)) return;
    }
    if (isIt(nodeId)) return;
    // A loop inside the caller's own body comes before one of the same name elsewhere.
    if (loops.length > 0 && isIt(controlId(nodeId, loops))) return;
    const nested = source.nestedAs(nodeId);
    if (nested !== undefined && nested !== nodeId) isIt(nested);
  }

  /** Of a loop inside the caller's own, as it was in an earlier round: here it has not come so far yet. */
  #isOfAnotherRound(id: string): boolean {
    return roundsIn(id).some((round) =>
      this.#loops.some((loop) => loop.id === round.id && loop.iteration !== round.iteration),
    );
  }

  #rowOf(outputKey: string, nodeId: string, iteration: number | undefined): OutputRow | undefined {
    const { outputs } = this.#source;
    if (iteration !== undefined) return outputs.get(outputKey, nodeId, iteration);
    const loop = this.#source.loopOf(nodeId);
    if (loop === undefined || this.#loops.length > 0) return outputs.latest(outputKey, nodeId);
    return outputs.get(outputKey, nodeId, this.#source.loopIteration(loop));
  }
}

/** Code without types, or moved here from another library, passes one form for the other. */
function wrongAddress(expected: string, given: unknown): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `ctx was asked for the row of ${inspect(given, { depth: 0 })}; expected ${expected}.`,
  );
}

function createOutputsAccessor(source: ContextSource): unknown {
  const read = (outputKey: string): readonly OutputRow[] => {
    source.reads.table(outputKey);
    return source.outputs.all(outputKey);
  };
  const accessor = (target: unknown) => read(source.outputKeyOf(target));
  // Own properties, so that keys such as `name` and `length` win over those of a function.
  for (const outputKey of source.outputKeys) {
    Object.defineProperty(accessor, outputKey, {
      get: () => read(outputKey),
      enumerable: true,
      configurable: true,
    });
  }
  return accessor;
}

function latestArray<T>(value: unknown, schema: SafeParser<T>): T[] {
  let list = value;
  if (typeof list === "string") {
    try {
      list = JSON.parse(list);
    } catch {
      // Text that is no JSON is itself the value.
    }
  }
  if (list === undefined || list === null) return [];
  const items: unknown[] = Array.isArray(list) ? list : [list];
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
