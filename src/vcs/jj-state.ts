import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { FileState, RecordRequest } from "./file-state.js";
import { runVcs } from "./run-vcs.js";
import { NotRecorded } from "./working-tree.js";

/**
 * Records the files of a jj workspace: any command of jj's takes a snapshot of them, which stays with the operation
 * that it makes in jj's own log.
 * @throws NotRecorded, PROCESS_TIMEOUT, the signal's reason
 */
export async function recordJj(root: string, { folder, signal }: RecordRequest): Promise<FileState> {
  const real = realpathSync(root);
  const ask = async (args: readonly string[]) => {
    const asked = await runVcs("jj", args, { cwd: real, signal, graceSeconds: 1 });
    if (asked.ok) return asked.stdout;
    throw new NotRecorded(`jj ${args[0] ?? ""} failed: ${asked.stderr.slice(0, 500)}`);
  };
  const ids = 'commit_id ++ "\\n" ++ parents.map(|p| p.commit_id()).join(" ")';
  const [commit = "", parents = ""] = (await ask(["log", "--no-graph", "--revisions", "@", "-T", ids])).split(
    "\n",
  );
  const known = ["--ignore-working-copy", "op", "log", "--no-graph", "--limit", "1", "-T", "id"];
  const operation = await ask(known);
  const gitFolder = gitFolderOfJj(real);
  if (gitFolder === undefined) throw new NotRecorded("the jj repository does not keep its commits in git");
  const head = parents.split(" ")[0] ?? "";
  return {
    vcs: "jj",
    root: real,
    folder: relative(real, folder),
    gitFolder,
    commit,
    head: head === "" ? null : head,
    operation,
    leftOut: 0,
  };
}

/** The git folder in which jj keeps its commits; undefined where it keeps them in another way. */
function gitFolderOfJj(root: string): string | undefined {
  try {
    const place = join(root, ".jj", "repo");
    const repo = existsSync(join(place, "store"))
      ? place
      : resolve(root, ".jj", readFileSync(place, "utf8").trimEnd());
    const store = join(repo, "store");
    return realpathSync(resolve(store, readFileSync(join(store, "git_target"), "utf8").trimEnd()));
  } catch {
    return undefined;
  }
}
