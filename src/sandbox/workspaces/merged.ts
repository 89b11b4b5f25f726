import { readFile, rm } from "node:fs/promises";
import { conflictError } from "../patches/conflicts.js";
import type { Snapshots } from "../patches/snapshots.js";
import { ServiceError } from "../../errors/service-error.js";
import type { WorkspaceSnapshot } from "./find-snapshot.js";

/**
 * The files of a workspace with what the run's folder has become since.
 * @param file takes a patch for a moment
 * @throws SANDBOX_BUNDLE_INVALID where both have changed the same lines
 */
export async function merged(
  snapshots: Snapshots,
  { began, base, name, file }: { began: WorkspaceSnapshot; base: string; name: string; file: string },
): Promise<string> {
  const result = await snapshots.merge({ from: began.base, to: base, into: began.files }, file);
  try {
    if ("tree" in result) return result.tree;
    const { message, details } = conflictError(result.refusal, await readFile(file, "latin1"));
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `The run's folder and the sandbox's workspace ${name} have changed the same lines, and nothing ran. Give the sandbox a workspace of another name, which begins with the run's folder, or take the change back. ${message}`,
      { details: { ...details, workspace: name } },
    );
  } finally {
    await rm(file, { force: true });
  }
}
