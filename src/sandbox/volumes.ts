import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { ServiceError } from "../errors/service-error.js";
import type { SandboxVolume } from "../model/sandbox-access.js";
import { isInside } from "../process/inside.js";
import { realPath } from "../process/workspace-state.js";

/** Where volumes are looked for, and what none of them may show. */
interface Surroundings {
  readonly rootDir: string;
  /** The run's database and state folder. */
  readonly state: readonly string[];
}

/**
 * The volumes with absolute paths of the host, without links.
 * @throws SANDBOX_EXECUTION_FAILED for one that is not there, is no file or folder, shows the run's state, or would let the
 * run's folder be changed past the review
 */
export function resolveVolumes(
  volumes: readonly SandboxVolume[],
  { rootDir, state }: Surroundings,
): Required<SandboxVolume>[] {
  return volumes.map(({ host, container, readonly = true }) => {
    const path = realPath(resolve(rootDir, host));
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw refused(host, "is not there");
    if (!stat.isFile() && !stat.isDirectory()) throw refused(host, "is neither a file nor a folder");
    if (state.some((hidden) => overlaps(path, hidden))) {
      throw refused(
        host,
        "has the run's database or state in it, which no sandbox sees: name what is needed",
      );
    }
    if (!readonly && overlaps(path, realPath(rootDir))) {
      throw refused(
        host,
        "is part of the run's folder, which changes by the sandbox's patch alone: leave `readonly`",
      );
    }
    return { host: path, container, readonly };
  });
}

function overlaps(one: string, other: string): boolean {
  return one === other || isInside(one, other) || isInside(other, one);
}

function refused(host: string, why: string): ServiceError {
  return new ServiceError("SANDBOX_EXECUTION_FAILED", `The volume ${JSON.stringify(host)} ${why}.`, {
    details: { host },
    retryable: false,
  });
}
