import { rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryAround } from "./find-repository.js";
import { commonFolder, ownFolder } from "./git-repository.js";
import { runVcs } from "./run-vcs.js";
import { mayHaveRef, STATE_REFS, stateRefs } from "./state-refs.js";

/**
 * Removes what keeps the states of runs in the repository around a folder: git then clears their files away in its own
 * time, those that nothing else needs. jj's log of operations is left as it is. Where it fails, the states stay.
 */
export async function forgetStates(folder: string, runIds: readonly string[]): Promise<void> {
  const repository = repositoryAround(folder);
  if (repository?.kind !== "git") return;
  const common = commonFolder(ownFolder(join(repository.root, ".git")));
  if (!mayHaveRef(common, STATE_REFS)) return;
  const at = { cwd: repository.root };
  const git = [`--git-dir=${common}`, "-c", "core.logAllRefUpdates=false"];
  const listed = await runVcs("git", [...git, "for-each-ref", "--format=%(refname)", STATE_REFS], at);
  const prefixes = runIds.map((runId) => `${stateRefs(runId)}/`);
  const refs = listed.stdout.split("\n").filter((ref) => prefixes.some((prefix) => ref.startsWith(prefix)));
  if (refs.length > 0) {
    const input = Buffer.from(refs.map((ref) => `delete ${ref}\n`).join(""));
    await runVcs("git", [...git, "update-ref", "--stdin"], { ...at, input });
  }
  // Locks of processes that were killed may lie there.
  for (const runId of runIds) rmSync(join(common, stateRefs(runId)), { recursive: true, force: true });
}
