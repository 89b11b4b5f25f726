import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { utf8Length } from "../../util/bounded-text.js";
import type { BuiltinDefinition } from "../agent-tool.js";
import { type PinnedFolder, pinParent } from "../files/pinned-folder.js";
import { fileTooLarge, looksBinary, openRegularFile, readAtMost } from "../files/regular-file.js";
import { replaceFile } from "../files/replace-file.js";
import { openTarget } from "../files/open-target.js";
import { pathInvalid } from "../files/sandbox-path.js";
import { applyUnifiedDiff } from "../files/unified-diff.js";
import { once } from "../../util/once.js";

const inputSchema = once(() =>
  z.strictObject({
    path: z.string().describe("File to change, relative to the root folder."),
    patch: z.string().describe("Unified diff of this one file: @@ headers, context lines, - and + lines."),
  }),
);

/** A file below the root folder, and a unified diff of it. */
export type EditInput = z.infer<ReturnType<typeof inputSchema>>;

/** Largest file that `edit` loads, in bytes. */
const MAX_FILE_BYTES = 10 * 1_024 * 1_024;

export const editDefinition: BuiltinDefinition<EditInput> = {
  name: "edit",
  description: "Changes a text file by a unified diff. All hunks apply, or the file stays as it is.",
  inputSchema,
  sideEffect: true,
  idempotent: false,
  async run({ path, patch }, { context, signal }) {
    const bytes = utf8Length(patch);
    if (bytes > context.maxOutputBytes) {
      throw new ServiceError(
        "TOOL_PATCH_TOO_LARGE",
        `The patch for "${path}" has ${bytes} bytes, the limit is ${context.maxOutputBytes}.`,
        { details: { path, size: bytes, limit: context.maxOutputBytes } },
      );
    }
    return context.inTurn(async () => {
      signal.throwIfAborted();
      const target = await openTarget(context, path, "change");
      const folder = await pinParent(target);
      try {
        const before = await readText(folder, target.name, path);
        const content = await applyUnifiedDiff(before, patch, path);
        await replaceFile(folder, target.name, { content, shown: path, author: context });
        return "ok";
      } finally {
        await folder.close();
      }
    });
  },
};

async function readText(folder: PinnedFolder, name: string, shown: string): Promise<string> {
  const { handle, size } = await openRegularFile(folder, name, shown);
  try {
    if (size > MAX_FILE_BYTES) throw fileTooLarge(shown, size, MAX_FILE_BYTES);
    const bytes = await readAtMost(handle, MAX_FILE_BYTES, shown);
    if (looksBinary(bytes)) throw pathInvalid(shown, "is a binary file, not text");
    return decode(bytes, shown);
  } finally {
    await handle.close();
  }
}

/** Refuses other encodings: writing the decoded text back would change bytes that the patch does not name. */
function decode(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw pathInvalid(shown, "is not UTF-8 text");
  }
}
