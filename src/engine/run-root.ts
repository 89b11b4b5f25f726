import { resolve } from "node:path";
import type { RunConfig } from "../model/run-config.js";

/** The folder that a run works in, absolute. */
export function runRoot({ rootDir }: Pick<RunConfig, "rootDir">): string {
  return rootDir === undefined ? process.cwd() : resolve(rootDir);
}
