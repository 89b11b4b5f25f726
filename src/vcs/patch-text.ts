import { unquotedName } from "./git-name.js";

/** Patches as git prints them, as characters 0 to 255: names and contents may be any bytes. */

/** The hunks of each file by its present name, or by the one that it had where it is deleted. As text. */
export function patchesByName(patch: string): Map<string | undefined, string> {
  // Only a file's header begins a line so, and only a line feed ends a line of git's.
  const texts = `\n${patch}`.split("\ndiff --git ").slice(1);
  return new Map(
    texts.flatMap((text) => (text.includes("\n@@ ") ? [[nameInHeader(text), hunksOf(text)]] : [])),
  );
}

function nameInHeader(text: string): string | undefined {
  const header = text.slice(0, text.indexOf("\n@@ ") + 1);
  const found =
    /\n\+\+\+ ("?)b\/([^\n]*?)\1\t?\n/.exec(header) ?? /\n--- ("?)a\/([^\n]*?)\1\t?\n/.exec(header);
  if (found === null) return undefined;
  const [, quote = "", name = ""] = found;
  return unquotedName(`${quote}${name}${quote}`).toString("latin1");
}

function hunksOf(text: string): string {
  const begin = text.indexOf("\n@@ ") + 1;
  const hunks = Buffer.from(text.slice(begin), "latin1").toString("utf8");
  return hunks.endsWith("\n") ? hunks : `${hunks}\n`;
}
