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
  return found[1] === "" ? found[2] : unquoted(found[2] ?? "");
}

function hunksOf(text: string): string {
  const begin = text.indexOf("\n@@ ") + 1;
  const hunks = Buffer.from(text.slice(begin), "latin1").toString("utf8");
  return hunks.endsWith("\n") ? hunks : `${hunks}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/** What stands between the quotes of a name in git's output. */
function unquoted(text: string): string {
  return text.replace(/\\(?:([0-7]{3})|(.))/g, (_all, octal: string | undefined, letter: string) =>
    octal === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
