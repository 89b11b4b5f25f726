import { mkdirSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";
import { isInside } from "../../process/inside.js";
import { OwnFolder } from "../../process/own-folder.js";

/**
 * Appends each committed event of a run as one line of JSON to `<folder>/<runId>.ndjson`. Below `rootDir`, where
 * agents write, no part of the folder's path may be a link.
 * @throws INVALID_INPUT when there can be no such folder
 */
export function eventFile(folder: string, rootDir = "."): (event: RunEvent) => void {
  const own = openFolder(folder, resolve(rootDir));
  return (event) => own.append(`${event.runId}.ndjson`, `${JSON.stringify(event)}\n`);
}

function openFolder(folder: string, root: string): OwnFolder {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const place = resolve(realpathSync(root), relative(root, path));
    const isLinked = isInside(path, root) && realpathSync(path) !== place;
    if (!isLinked) return new OwnFolder(path);
  } catch (cause) {
    throw unusable(folder, ensureError(cause).message, cause);
  }
  throw unusable(folder, `${folder} is reached by a symbolic link`);
}

function unusable(folder: string, why: string, cause?: unknown): ServiceError {
  return new ServiceError("INVALID_INPUT", `The option logDir names no folder that can be used: ${why}.`, {
    cause,
    details: { issues: [{ path: "logDir", message: why }], path: folder },
  });
}
