import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { utf8Length } from "../../util/bounded-text.js";
import type { BuiltinDefinition } from "../agent-tool.js";
import { pinParent } from "../files/pinned-folder.js";
import { replaceFile } from "../files/replace-file.js";
import { openTarget } from "../files/open-target.js";
import { once } from "../../util/once.js";

const inputSchema = once(() =>
  z.strictObject({
    path: z.string().describe("File to write, relative to the root folder. Missing folders are created."),
    content: z.string().describe("The whole new content."),
  }),
);

/** A file below the root folder, and its whole new content. */
export type WriteInput = z.infer<ReturnType<typeof inputSchema>>;

export const writeDefinition: BuiltinDefinition<WriteInput> = {
  name: "write",
  description: "Writes a text file as a whole, replacing what it held.",
  inputSchema,
  sideEffect: true,
  idempotent: true,
  async run({ path, content }, { context, signal }) {
    const bytes = utf8Length(content);
    if (bytes > context.maxOutputBytes) {
      throw new ServiceError(
        "TOOL_CONTENT_TOO_LARGE",
        `The content for "${path}" has ${bytes} bytes, the limit is ${context.maxOutputBytes}.`,
        { details: { path, size: bytes, limit: context.maxOutputBytes } },
      );
    }
    return context.inTurn(async () => {
      signal.throwIfAborted();
      const target = await openTarget(context, path, "change");
      const folder = await pinParent(target, { create: true });
      try {
        await replaceFile(folder, target.name, { content, shown: path, author: context });
        return "ok";
      } finally {
        await folder.close();
      }
    });
  },
};
