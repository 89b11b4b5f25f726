import { spawnSync } from "node:child_process";

/**
 * Whether bubblewrap is here and the kernel lets it make namespaces. Where it is not, every sandbox is refused, which tests of
 * their own hold on any host; what a sandbox does is then not tested, and that is said.
 */
export const canSandbox = spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).status === 0;
if (!canSandbox) {
  process.stderr.write(
    "\nNOT TESTED: bubblewrap is missing here or may make no user namespaces, so nothing was run in a sandbox.\n\n",
  );
}
