import type { RunPosition } from "../../store/index.js";
import { cursorParts, wrongCursor } from "./page-cursor.js";

/** The cursor of a page of runs that ends with this one. */
export function runCursor({ createdAtMs, runId }: RunPosition): string {
  return JSON.stringify([createdAtMs, runId]);
}

/** @throws INVALID_INPUT for a cursor that no page of runs has given */
export function runPosition(cursor: string): RunPosition {
  const [createdAtMs, runId, ...rest] = cursorParts(cursor);
  if (Number.isSafeInteger(createdAtMs) && typeof runId === "string" && rest.length === 0) {
    return { createdAtMs: createdAtMs as number, runId };
  }
  // A cursor of the previous version: its holder can continue.
  const [, time, id] = /^(\d{1,15}):(.+)$/s.exec(cursor) ?? [];
  if (time !== undefined && id !== undefined) return { createdAtMs: Number(time), runId: id };
  throw wrongCursor(cursor, "runs");
}
