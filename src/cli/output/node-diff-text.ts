import type { NodeDiff } from "../../operations/index.js";
import type { FileDiff } from "../../vcs/diff-states.js";
import type { Colors } from "./styles.js";
import { taskNames } from "./task-name.js";
import { parseTaskKey } from "../../model/address.js";
import { visibleLine } from "./visible-text.js";

/** What a task has changed: its files, and their patches as far as they are there. */
export function nodeDiffText(diff: NodeDiff, colors: Colors): string {
  const { source, reason, totals, files, othersAtWork, leftOut, isUntilNext } = diff;
  const noted = (text: string) => colors.yellow(visibleLine(text));
  if (source === null) return noted(`What it has changed is not known: ${reason ?? ""}.`);
  const count = totals.files === 1 ? "1 file" : `${totals.files} files`;
  const where = source === "sandbox" ? "in its sandbox" : `in ${diff.folder ?? ""}`;
  const notes = [
    ...(isUntilNext ? ["Its end was not recorded: compared with the beginning of the next attempt."] : []),
    ...(reason !== null && !isUntilNext ? [reason] : []),
    ...(othersAtWork.length > 0
      ? [
          `At work in this folder meanwhile, so that changes may be theirs: ${taskNames(othersAtWork.map(parseTaskKey)).join(", ")}`,
        ]
      : []),
    ...(leftOut > 0
      ? [`${leftOut} files or folders cannot be read or belong to a repository inside: they are left out.`]
      : []),
  ];
  return [
    visibleLine(
      `${diff.nodeId} attempt ${diff.attempt}, ${where}: ${count}, +${totals.additions} −${totals.deletions}`,
    ),
    ...notes.map(noted),
    ...files.flatMap((file) => fileLines(file, colors)),
  ].join("\n");
}

const SIGNS = { added: "+", deleted: "-", modified: "~", renamed: ">" } as const;

function fileLines(file: FileDiff, colors: Colors): string[] {
  const { path, oldPath, status, additions, deletions, isBinary, patch } = file;
  const name = oldPath === undefined ? path : `${oldPath} → ${path}`;
  const lines = isBinary ? "binary" : `+${additions ?? "?"} −${deletions ?? "?"}`;
  const head = `${SIGNS[status]} ${visibleLine(name)}  ${colors.dim(lines)}`;
  if (patch === null) {
    const isLong = !isBinary && (additions ?? 0) + (deletions ?? 0) > 0;
    return [head, ...(isLong ? [colors.dim("    its patch is long: ask for it with --path")] : [])];
  }
  const shown = patch.trimEnd().split("\n");
  return [head, ...shown.map((line) => `    ${colored(visibleLine(line), colors)}`)];
}

function colored(line: string, colors: Colors): string {
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return /^@{2} /.test(line) ? colors.cyan(line) : line;
}
