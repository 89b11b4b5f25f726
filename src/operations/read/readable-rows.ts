import { type SerializedError, serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Awaitable } from "../../util/awaitable.js";

/** A run of which a row that was asked for cannot be read. */
export interface DamagedRun {
  runId: string;
  damage: SerializedError;
}

/**
 * A page of rows without those of runs that cannot be read; `onDamage` hears of each such run.
 * @throws STORAGE_ERROR for damage that does not say which run it is of
 */
export async function readableRows<Row>(
  readPage: (except: readonly string[]) => Awaitable<Row[]>,
  onDamage: (runId: string, error: ServiceError) => void,
): Promise<Row[]> {
  const except: string[] = [];
  for (;;) {
    try {
      return await readPage(except);
    } catch (error) {
      if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
      const runId = error.details?.["runId"];
      if (typeof runId !== "string" || except.includes(runId)) throw error;
      except.push(runId);
      onDamage(runId, error);
    }
  }
}

export function damagedRun(runId: string, error: unknown): DamagedRun {
  return { runId, damage: serializeError(error) };
}
