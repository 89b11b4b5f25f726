import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { ServiceError } from "../../errors/service-error.js";
import { commandFilter } from "../../process/isolation/seccomp.js";
import type { TrustedExecutables } from "../../process/trusted-executable.js";

/**
 * A command line to put before another one, which then, with all that it starts, runs on so many of the processors. Its filter
 * of system calls keeps it there: without one a process may choose other processors.
 * @param limit undefined: no limit
 * @throws SANDBOX_EXECUTION_FAILED where this machine cannot hold it there
 */
export function onProcessors(limit: number | undefined, executables: TrustedExecutables): readonly string[] {
  if (limit === undefined) return [];
  const taskset = executables.find("taskset");
  if (taskset === undefined) {
    throw refused("`taskset` (of root's own, in a system folder; the package util-linux), which is not here");
  }
  if (commandFilter(process.arch, { isPinned: true }) === undefined)
    throw refused(`a processor of x64 or arm64, and this is ${process.arch}`);
  const own = ownProcessors();
  // Two sandboxes need not meet on the same ones.
  const first = randomInt(own.length);
  const chosen = [...own.slice(first), ...own.slice(0, first)].slice(0, limit);
  return [taskset, "-c", chosen.join(",")];
}

/** Numbers of the processors that this process may use. */
function ownProcessors(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function refused(needed: string): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The sandbox's cpuLimit needs ${needed}. Nothing ran: leave the limit out, or name another provider.`,
    { retryable: false },
  );
}
