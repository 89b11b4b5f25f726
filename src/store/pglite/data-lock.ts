import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { keepLock } from "../../process/lock-file.js";

/** A process that is being killed needs a moment to be gone, milliseconds. */
const ENDING_MS = 1_000;
/** More than a statement keeps a process from giving signs of life, milliseconds. */
const SILENT_MS = 20_000;

/**
 * Keeps a folder of PGlite for this process, until it ends or the lock is released: a second one would destroy the data.
 * @throws DB_BUSY naming the owner
 */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dirname(dataDir), { recursive: true });
  const path = `${dataDir}.owner`;
  const taken = (owner: string) => {
    const [host, pid] = owner.split("/");
    return new ServiceError(
      "DB_BUSY",
      `The folder ${dataDir} of PGlite is open in process ${pid} of ${host}. PGlite is for one process; several share a Postgres server.`,
      { details: { path: dataDir, owner } },
    );
  };
  return keepLock({ path, waitMs: ENDING_MS, silentMs: SILENT_MS, late: taken });
}
