import { z } from "zod";
import { shorten, utf8Length } from "../../util/bounded-text.js";
import type { BuiltinDefinition } from "../agent-tool.js";
import { isHiddenFrom, openTarget } from "../files/open-target.js";
import { LineSearch } from "../search/line-search.js";
import { textFiles } from "../search/text-files.js";
import { once } from "../../util/once.js";

const inputSchema = once(() =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .describe("Regular expression without look-around and back references, matched against each line."),
    path: z.string().default(".").describe("File or folder to search, relative to the root folder."),
    ignoreCase: z.boolean().default(false),
  }),
);

/** A regular expression without look-around, and where to look: by default the whole root folder. */
export type GrepInput = z.input<ReturnType<typeof inputSchema>>;

/** Longest piece of a matching line that is printed, in characters. */
const PRINTED_LINE = 500;

export const grepDefinition: BuiltinDefinition<GrepInput> = {
  name: "grep",
  description:
    "Searches text files for a regular expression and prints path:line:text. " +
    "Folders .git and node_modules are left out unless the path leads into them.",
  inputSchema,
  sideEffect: false,
  idempotent: true,
  async run({ pattern, path = ".", ignoreCase = false }, call) {
    const target = await openTarget(call.context, path, "read");
    const search = await LineSearch.create(pattern, ignoreCase);
    const isHidden = (entry: string) => isHiddenFrom(call.context, target.root.realPath, entry);
    const printed: string[] = [];
    const skipped: string[] = [];
    let bytes = 0;
    for await (const file of textFiles(target, { signal: call.signal, isHidden })) {
      if ("tooLarge" in file) {
        skipped.push(`[not searched, ${file.tooLarge} bytes are too many: ${file.path}]\n`);
        continue;
      }
      await search.search(file.text, {
        signal: call.signal,
        onMatch({ line, text }) {
          printed.push(`${file.path}:${line}:${shorten(text, PRINTED_LINE)}\n`);
          bytes += utf8Length(printed.at(-1) as string);
          return bytes <= call.context.maxOutputBytes;
        },
      });
      if (bytes > call.context.maxOutputBytes) break;
    }
    return call.cap([...printed, ...skipped].join(""));
  },
};
