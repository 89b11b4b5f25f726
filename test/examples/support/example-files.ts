import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

export interface ExampleFile {
  /** `01-hello.tsx` */
  file: string;
  text: string;
  /** The comment at the top, without its stars. */
  header: string;
}

export function exampleFiles(): ExampleFile[] {
  return readdirSync(EXAMPLES)
    .filter((file) => /^\d/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(`${EXAMPLES}/${file}`, "utf8");
      const comment = /^\/\*\*(.*?)\*\//s.exec(text)?.[1] ?? "";
      return { file, text, header: comment.replaceAll(/^ \* ?/gm, "") };
    });
}

/** The command lines of a header, without their comments. */
export function commandsIn(header: string): string[] {
  return [...header.matchAll(/^ {4}(npx treadle .*)$/gm)].map(([, line = ""]) =>
    line.replace(/\s+#.*$/, "").trim(),
  );
}

/** The words of a command line, quoted ones as one. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
