import { ServiceError } from "../../errors/service-error.js";
import { ambientToolContext } from "../../tools/agent-tool.js";
import { write } from "../../tools/create-tools.js";
import { isHiddenFrom, openTarget } from "../../tools/files/open-target.js";
import { textFiles } from "../../tools/search/text-files.js";
import type { ToolContext } from "../../tools/tool-context.js";
import { utf8Length } from "../../util/bounded-text.js";

/** A file as it was, or as it is to be; its path is relative to the root folder. */
export interface SourceText {
  readonly path: string;
  readonly content: string;
}

/** Bytes of all files together that one row and one prompt may hold. */
const MOST_BYTES = 1024 * 1024;

/** Longest way between two texts that is looked for; beyond it the whole text is shown as replaced. */
const MOST_EDITS = 10_000;

/** Whether a path is one of these: a file, a folder, or a pattern with `*`, `**` and `?`. Without any, every path is. */
export function isTarget(targets: readonly string[] | undefined, path: string): boolean {
  return targets === undefined || targets.some((target) => pattern(target).test(path));
}

function pattern(target: string): RegExp {
  const parts = target
    .replace(/^\.\//, "")
    .replace(/\/+$/, "")
    .split(/(\*\*\/|\*\*|\*|\?)/);
  const source = parts.map((part) => GLOB[part] ?? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("");
  return new RegExp(`^${source}(?:/.*)?$`, "s");
}

const GLOB: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };

/**
 * The text files below the root folder of the task that calls, in order of their names, without those that tools
 * leave alone.
 * @throws TOOL_FILE_TOO_LARGE when they are more than a prompt can hold
 */
export async function readSources(
  targets: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<SourceText[]> {
  const found: SourceText[] = [];
  let bytes = 0;
  const isWanted = (path: string) => isTarget(targets, path);
  for await (const { path, content } of filesAt(ambientToolContext(), ".", { signal, isWanted })) {
    bytes += utf8Length(content);
    if (bytes > MOST_BYTES) {
      throw new ServiceError(
        "TOOL_FILE_TOO_LARGE",
        `The target files have more than ${MOST_BYTES} bytes together, counted up to "${path}": name fewer of them.`,
        { details: { path, limit: MOST_BYTES } },
      );
    }
    found.push({ path, content });
  }
  return found;
}

async function* filesAt(
  context: ToolContext,
  path: string,
  search: { signal: AbortSignal; isWanted?(path: string): boolean },
): AsyncGenerator<SourceText> {
  const target = await openTarget(context, path, "read");
  const isHidden = (entry: string) => isHiddenFrom(context, target.root.realPath, entry);
  for await (const file of textFiles(target, { ...search, isHidden })) {
    if ("text" in file) yield { path: file.path, content: file.text };
  }
}

/**
 * Writes the files with the `write` tool, all of them or, where one may not be written, none. Those that are
 * already as they are to be stay as they are, so that it can be done again after it was cut short.
 * @returns paths whose content is now the new one
 * @throws TOOL_PATCH_FAILED for a file that is neither as it was nor as it is to be
 */
export async function writeSources(
  change: { before: readonly SourceText[]; after: readonly SourceText[] },
  signal: AbortSignal,
): Promise<string[]> {
  const context = ambientToolContext();
  const due: SourceText[] = [];
  for (const file of change.after) {
    const { path, content } = file;
    await openTarget(context, path, "change");
    refuseLarge(context, file);
    const present = await presentText(context, path, signal);
    if (present === content) continue;
    if (present !== textOf(change.before, path)) {
      throw new ServiceError("TOOL_PATCH_FAILED", `The file "${path}" has changed since it was read.`, {
        details: { path },
      });
    }
    due.push(file);
  }
  for (const { path, content } of due) await write.execute({ path, content });
  // Also what an attempt that was cut short had written: the row is the same as without the interruption.
  return change.after.map(({ path }) => path);
}

function refuseLarge({ maxOutputBytes }: ToolContext, { path, content }: SourceText): void {
  const bytes = utf8Length(content);
  if (bytes <= maxOutputBytes) return;
  throw new ServiceError(
    "TOOL_CONTENT_TOO_LARGE",
    `The content for "${path}" has ${bytes} bytes, the limit is ${maxOutputBytes}.`,
    { details: { path, size: bytes, limit: maxOutputBytes } },
  );
}

/** Undefined for a file that is not there. */
async function presentText(
  context: ToolContext,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for await (const file of filesAt(context, path, { signal })) return file.content;
  } catch (error) {
    if (!ServiceError.is(error, "TOOL_PATH_INVALID")) throw error;
  }
  return undefined;
}

function textOf(files: readonly SourceText[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.content;
}

/** The change as a unified diff of all files. */
export async function unifiedDiff(change: {
  before: readonly SourceText[];
  after: readonly SourceText[];
}): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const patches = change.after.map(({ path, content }) => {
    const before = textOf(change.before, path);
    if (before === content) return "";
    const names = [before === undefined ? "/dev/null" : `a/${path}`, `b/${path}`] as const;
    const patch = createTwoFilesPatch(...names, before ?? "", content, undefined, undefined, {
      context: 3,
      maxEditLength: MOST_EDITS,
      headerOptions: FILE_HEADERS_ONLY,
    });
    return patch ?? replaced(names, before ?? "", content);
  });
  return patches.join("");
}

function replaced([from, to]: readonly [string, string], before: string, after: string): string {
  const [removed, added] = [before, after].map((text) => text.replace(/\n$/, "").split("\n")) as [
    string[],
    string[],
  ];
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `--- ${from}\n+++ ${to}\n@@ -1,${removed.length} +1,${added.length} @@\n${lines.join("\n")}\n`;
}
