import type { Colors } from "./styles.js";
import { visibleLine, visibleText } from "./visible-text.js";

const INDENT = 2;
const NAME = 9;

/** `  summary   text`; further lines of the text stand under its first, so that none looks like a fact of its own. */
export function factLine(name: string, value: string, { dim }: Pick<Colors, "dim">): string {
  const indent = `\n${" ".repeat(INDENT + NAME + 1)}`;
  const text = visibleText(value).replaceAll("\n", indent);
  return `${" ".repeat(INDENT)}${dim(visibleLine(name).padEnd(NAME))} ${text}`;
}
