/** A stack and the version below it, as Node prints them where a tool crashes. */
const CRASH_REMAINS = /^\s*(?:at\s|Node\.js v\d|[\^{}\]]+\s*$)/;

/** The last line of what a tool wrote that says something; undefined when it wrote nothing. */
export function tellingLine(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.findLast((line) => !CRASH_REMAINS.test(line)) ?? lines.at(-1);
}
