import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";

/** Events hold what the database holds, which is its owner's alone. */
const PRIVATE = { mode: 0o600 };

/**
 * Appends each committed event of a run as one line of JSON to `<folder>/<runId>.ndjson`.
 * @throws INVALID_INPUT when there can be no such folder
 */
export function eventFile(folder: string): (event: RunEvent) => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = ensureError(cause).message;
    throw new ServiceError("INVALID_INPUT", `The option logDir names no folder that can be used: ${why}.`, {
      cause,
      details: { issues: [{ path: "logDir", message: why }], path: folder },
    });
  }
  return (event) =>
    appendFileSync(join(folder, `${event.runId}.ndjson`), `${JSON.stringify(event)}\n`, PRIVATE);
}
