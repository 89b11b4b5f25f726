import { ServiceError } from "../../errors/service-error.js";

/** Hunks and their lines that a message shows. */
const MOST_HUNKS = 5;
const MOST_LINES = 40;

/**
 * Why a patch does not fit the files as they are, with the hunks that do not.
 * @param refusal what `git apply` says
 */
export function conflictError(refusal: string, patch: string): ServiceError {
  const failed = [...refusal.matchAll(/^error: patch failed: (.+):(\d+)$/gm)].map(
    ([, path = "", line = ""]) => ({
      path,
      line: Number(line),
      hunk: hunkAt(patch, path, Number(line)),
    }),
  );
  const reasons = refusal
    .split("\n")
    .filter((line) => line.startsWith("error: ") && !line.startsWith("error: patch failed: "))
    .map((line) => line.slice("error: ".length).replace("already exists in index", "is there already"));
  const hunks = failed.slice(0, MOST_HUNKS).map(({ path, hunk }) => `--- ${path}\n${hunk}`);
  return new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The sandbox's patch does not fit the files as they are now, and nothing of it was applied (${[...new Set(reasons)].slice(0, MOST_HUNKS).join("; ") || refusal.slice(0, 500)}).${hunks.length === 0 ? "" : `\nConflicting:\n${hunks.join("\n")}\n`}`,
    { details: { conflicts: failed, reasons } },
  );
}

/** The first hunk of a file that begins at a line; empty when there is none. */
function hunkAt(patch: string, path: string, line: number): string {
  const files = patch.split(/^(?=diff --git )/m);
  const file = files.find((text) => text.includes(`\n--- a/${path}\n`) || text.includes(`\n+++ b/${path}\n`));
  const hunks = (file ?? "").split(/^(?=@@ )/m).slice(1);
  const hunk = hunks.find((text) => text.startsWith(`@@ -${line},`) || text.startsWith(`@@ -${line} `));
  return (hunk ?? hunks[0] ?? "").split("\n").slice(0, MOST_LINES).join("\n").trimEnd();
}
