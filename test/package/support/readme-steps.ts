import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./pack.js";

/** What a reader of the README does in turn: writes a file, or types a command. */
export type ReadmeStep = { kind: "file"; name: string; text: string } | { kind: "command"; command: string };

/** From the empty folder on; what stands before is for a clone of the repository. */
export function readmeSteps(): ReadmeStep[] {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const walk = readme.slice(readme.indexOf("## Ten minutes"));
  return [...walk.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, text = ""]): ReadmeStep[] => {
      if (language === "sh") {
        const lines = text.trim().split("\n");
        return lines.map((line) => ({ kind: "command", command: line.replace(/\s+#.*$/, "") }));
      }
      const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
      if (name === undefined)
        throw new Error(`The README has code without a file name: ${text.slice(0, 60)}`);
      return [{ kind: "file", name, text }];
    },
  );
}
