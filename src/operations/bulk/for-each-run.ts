import { type SerializedError, serializeError } from "../../errors/ensure-error.js";

/** The result for one run of many: the change that was made, or the reason why none could be. */
export type EachResult<R> =
  | ({ ok: true; runId: string } & R)
  | { ok: false; runId: string; error: SerializedError };

export interface EachRunOptions<R> {
  act(runId: string): Promise<R>;
  /** Runs at work at once. @default 1 */
  concurrency?: number;
  /** Notified of each as soon as it is done. */
  onResult?(result: EachResult<R>): void;
  /** Fired, it begins with no other run. */
  signal?: AbortSignal;
}

/**
 * Does the same to many runs, each in a write of its own: what is wrong with one keeps nothing from the others.
 * Results are in the order of the ids; those that were not begun are left out.
 */
export async function forEachRun<R extends object>(
  runIds: readonly string[],
  { act, concurrency = 1, onResult, signal }: EachRunOptions<R>,
): Promise<EachResult<R>[]> {
  const results: (EachResult<R> | undefined)[] = runIds.map(() => undefined);
  let next = 0;
  const work = async () => {
    while (next < runIds.length && signal?.aborted !== true) {
      const at = next;
      next += 1;
      const runId = runIds[at] as string;
      const result = await act(runId).then(
        (done): EachResult<R> => ({ ok: true, runId, ...done }),
        (error: unknown): EachResult<R> => ({ ok: false, runId, error: serializeError(error) }),
      );
      results[at] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, runIds.length) }, work));
  return results.filter((result) => result !== undefined);
}
