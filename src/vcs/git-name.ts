/* Names of files as git prints them: what is not plain ASCII stands in quotes, as in C. */

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/** The bytes of a name that may stand in quotes. */
export function unquotedName(text: string): Buffer {
  if (!text.startsWith('"')) return Buffer.from(text, "latin1");
  const bytes = text
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/g, (_all, octal: string | undefined, letter: string) =>
      octal === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
    );
  return Buffer.from(bytes, "latin1");
}

/** A name in quotes, with three octal digits for each byte that is no printable ASCII. */
export function quotedName(name: Buffer): string {
  const letters = [...name].map((byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === "\\") return `\\${letter}`;
    return byte > 0x1f && byte < 0x7f ? letter : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${letters.join("")}"`;
}
