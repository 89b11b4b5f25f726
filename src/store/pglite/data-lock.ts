import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ServiceError } from "../../errors/service-error.js";

/** Says beside a folder of PGlite which process has it open: a second one would destroy the data. */
export class DataLock {
  readonly #file: string;

  /** @throws DB_BUSY naming the process that has it */
  constructor(dataDir: string) {
    this.#file = `${dataDir}.lock`;
    mkdirSync(dirname(dataDir), { recursive: true });
    for (;;) {
      try {
        writeFileSync(this.#file, String(process.pid), { flag: "wx", mode: 0o600 });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const owner = Number(readOwner(this.#file));
      if (isAlive(owner)) throw taken(dataDir, owner);
      rmSync(this.#file, { force: true });
    }
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** This process had closed it if it were to open it again: it opens each folder once. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function taken(dataDir: string, pid: number): ServiceError {
  return new ServiceError(
    "DB_BUSY",
    `The folder ${dataDir} of PGlite is open in process ${pid}. PGlite is for one process; several share a Postgres server.`,
    { details: { path: dataDir, pid } },
  );
}
