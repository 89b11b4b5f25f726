import { z } from "zod";
import type { BuiltinDefinition } from "../agent-tool.js";
import { readLinePage } from "../files/line-page.js";
import { pinParent } from "../files/pinned-folder.js";
import { fileTooLarge, looksBinary, openRegularFile, readAtMost } from "../files/regular-file.js";
import { openTarget } from "../files/open-target.js";
import { pathInvalid } from "../files/sandbox-path.js";
import type { ToolCall } from "../tool-call.js";
import { once } from "../../util/once.js";

const inputSchema = once(() =>
  z.strictObject({
    path: z.string().describe("File to read, relative to the root folder."),
    offset: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("First line to read; 1 is the first line of the file."),
    limit: z.number().int().min(1).optional().describe("How many lines to read."),
  }),
);

/** A file below the root folder, and which of its lines, from 1. */
export type ReadInput = z.infer<ReturnType<typeof inputSchema>>;

/** Room that a page leaves for the line that says how to continue. */
const NOTE_BYTES = 120;

export const readDefinition: BuiltinDefinition<ReadInput> = {
  name: "read",
  description: "Reads a text file. Give offset and limit (in lines) to read a large file in parts.",
  inputSchema,
  sideEffect: false,
  idempotent: true,
  async run({ path, offset, limit }, call) {
    const target = await openTarget(call.context, path, "read");
    const folder = await pinParent(target);
    try {
      const file = await openRegularFile(folder, target.name, path);
      try {
        return offset === undefined && limit === undefined
          ? await readWhole(file, path, call)
          : await readPart(
              file,
              { path, offset: offset ?? 1, limit: limit ?? Number.POSITIVE_INFINITY },
              call,
            );
      } finally {
        await file.handle.close();
      }
    } finally {
      await folder.close();
    }
  },
};

type OpenFile = Awaited<ReturnType<typeof openRegularFile>>;

async function readWhole({ handle, size }: OpenFile, path: string, call: ToolCall): Promise<string> {
  const { maxOutputBytes } = call.context;
  if (size > maxOutputBytes) throw fileTooLarge(path, size, maxOutputBytes);
  return toText(await readAtMost(handle, maxOutputBytes, path), path);
}

async function readPart(
  { handle }: OpenFile,
  part: { path: string; offset: number; limit: number },
  call: ToolCall,
): Promise<string> {
  const { path, offset, limit } = part;
  const maxBytes = Math.max(1, call.context.maxOutputBytes - NOTE_BYTES);
  const page = await readLinePage(handle, { offset, limit, maxBytes, signal: call.signal });
  const text = toText(page.bytes, path);
  if (page.lines === 0) return `[line ${offset} is past the end: the file has ${page.seen} lines]`;
  if (!page.more) return call.cap(text);
  if (page.cut || page.lines < limit) call.noteTruncation();
  const last = offset + page.lines - 1;
  const note = page.cut
    ? `[line ${offset} is longer than one output and was cut; continue with offset ${offset + 1}]`
    : `[lines ${offset} to ${last}; continue with offset ${last + 1}]`;
  return call.cap(`${text}${text.endsWith("\n") ? "" : "\n"}${note}`);
}

function toText(bytes: Buffer, path: string): string {
  if (looksBinary(bytes)) throw pathInvalid(path, "is a binary file, not text");
  return bytes.toString("utf8");
}
