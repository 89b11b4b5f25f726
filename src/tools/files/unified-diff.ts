import type { applyPatch, StructuredPatch } from "diff";
import { ServiceError } from "../../errors/service-error.js";

/**
 * `source` after all hunks of the patch.
 * @throws TOOL_PATCH_FAILED naming the first hunk that does not fit
 */
export async function applyUnifiedDiff(source: string, patch: string, shown: string): Promise<string> {
  const { applyPatch, parsePatch } = await import("diff");
  const failed = (problem: string, details: Record<string, unknown> = {}) =>
    new ServiceError("TOOL_PATCH_FAILED", `The patch for "${shown}" cannot be applied: ${problem}.`, {
      details: { path: shown, ...details },
    });

  let files: ReturnType<typeof parsePatch>;
  try {
    files = parsePatch(patch);
  } catch (error) {
    throw failed(`it is not a unified diff (${(error as Error).message})`);
  }
  const changed = files.filter(({ hunks }) => hunks.length > 0);
  const [file] = changed;
  if (file === undefined) throw failed("it has no hunks");
  if (changed.length > 1) throw failed(`it changes ${changed.length} files, and an edit changes one`);

  const apply = boundedApply(applyPatch, file, () =>
    failed("looking for the place of its hunks takes too long; correct the line numbers of their headers"),
  );
  const result = apply(source, file.hunks.length);
  if (result !== false) return result;
  const culprit = firstFailing(file.hunks.length, (hunks) => apply(source, hunks) === false);
  const hunk = file.hunks[culprit];
  if (hunk === undefined) throw failed("its hunks do not fit the file");
  const header = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
  throw failed(`hunk ${culprit + 1} of ${file.hunks.length} (${header}) does not match the file`, {
    hunk: culprit + 1,
    hunks: file.hunks.length,
    header,
    line: hunk.oldStart,
  });
}

/** Steps that all tries of one patch may take together; about a third of a second. */
const MOST_STEPS = 10_000_000;

/**
 * Applies the first hunks of a patch. The library tries each hunk at every line of the file, so that
 * a small patch could keep the process busy for minutes: its steps are counted, and end with `exhausted`.
 */
function boundedApply(apply: typeof applyPatch, file: StructuredPatch, exhausted: () => ServiceError) {
  let steps = 0;
  // Between two comparisons stand at most this many added lines, each of which is copied.
  const perComparison = 1 + longestAddition(file);
  const compareLine = (_: number, line: string | undefined, __: string, content: string) => {
    // Texts of one length are compared to their first difference, in the worst case to their end.
    steps += perComparison + (line?.length === content.length ? content.length / 64 : 0);
    if (steps > MOST_STEPS) throw exhausted();
    return line === content;
  };
  return (source: string, hunks: number) =>
    apply(source, { ...file, hunks: file.hunks.slice(0, hunks) }, { compareLine });
}

/** The library says only that something failed. With the culprit among them, all longer prefixes of the hunks fail too. */
function firstFailing(hunks: number, fails: (hunks: number) => boolean): number {
  let [fits, failing] = [0, hunks];
  while (failing - fits > 1) {
    const middle = Math.floor((fits + failing) / 2);
    if (fails(middle)) failing = middle;
    else fits = middle;
  }
  return failing - 1;
}

function longestAddition({ hunks }: StructuredPatch): number {
  let longest = 0;
  for (const { lines } of hunks) {
    let run = 0;
    for (const line of lines) {
      run = line.startsWith("+") ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}
