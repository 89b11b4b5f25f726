import { totalmem } from "node:os";
import { builtin } from "../../util/builtin.js";

/** Of the machine's memory, what one of those folders takes at most in any case: the kernel's own default. */
const MOST_OF_MEMORY = 0.5;

const known = new Map<string, boolean>();

/**
 * Bytes that each of the folders takes which a sandbox has in memory: no limit of its processes counts what they write there.
 * @returns undefined where this bubblewrap, older than 0.7, knows no such limit
 */
export function scratchBytes(bwrap: string, memoryBytes: number): number | undefined {
  const takesSizes = known.get(bwrap) ?? /^\s*--size\s/m.test(helpOf(bwrap));
  known.set(bwrap, takesSizes);
  return takesSizes ? Math.floor(Math.min(memoryBytes, totalmem() * MOST_OF_MEMORY)) : undefined;
}

function helpOf(bwrap: string): string {
  return builtin("node:child_process").spawnSync(bwrap, ["--help"], { encoding: "utf8" }).stdout ?? "";
}
