import { execFileSync } from "node:child_process";

/** Folders in folders, beyond what a path can name. */
export function makeDeepFolders(folder: string): void {
  const name = "d".repeat(200);
  const step = `mkdir -p ${name} x/y && echo x >x/y/file && cd -P ${name} || exit 1`;
  execFileSync("/bin/bash", ["-c", `cd "$1"; for level in {1..40}; do ${step}; done`, "bash", folder], {
    stdio: "ignore",
  });
}
