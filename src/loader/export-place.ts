import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SourcePlace } from "./source-place.js";

/** Where a file exports a name, as far as its text tells; undefined for what it only passes on. */
export function exportPlace(
  file: string,
  { cwd, name }: { cwd: string; name: string },
): SourcePlace | undefined {
  const declared =
    name === "default" ? "default\\b" : `(?:async\\s+)?(?:const|let|var|function|class)\\s+${name}\\b`;
  const statement = new RegExp(`^\\s*export\\s+${declared}`);
  const lines = textOf(resolve(cwd, file)).split("\n");
  const line = lines.find((text) => statement.test(text));
  if (line === undefined) return undefined;
  return { file, line: lines.indexOf(line) + 1, column: line.indexOf("export") + 1 };
}

/** Empty for a file that has gone since it was loaded. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
