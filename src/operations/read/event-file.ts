import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../model/events.js";

/** Appends each committed event of a run as one line of JSON to `<folder>/<runId>.ndjson`. */
export function eventFile(folder: string): (event: RunEvent) => void {
  mkdirSync(folder, { recursive: true });
  return (event) => appendFileSync(join(folder, `${event.runId}.ndjson`), `${JSON.stringify(event)}\n`);
}
