import type { Token } from "js-tokens";

const INSIGNIFICANT = new Set([
  "WhiteSpace",
  "LineTerminatorSequence",
  "SingleLineComment",
  "MultiLineComment",
]);

export function isSignificant({ type }: Token): boolean {
  return !INSIGNIFICANT.has(type);
}

/** One spelling of a token that compilers spell differently: quotes, escapes, numbers, numbered names. */
export function spelling({ type, value }: Token): string {
  if (type === "StringLiteral") return JSON.stringify(stringValue(value));
  if (type === "NumericLiteral") return numberValue(value);
  if (type === "IdentifierName") return OWN_NAME.exec(value)?.[1] ?? withoutEscapes(value);
  return withoutEscapes(value);
}

/** Names of the loader's, which a bundle numbers when several files use them. */
const OWN_NAME = /^(__source(?:Url|Folder|File))\d+$/;

const ESCAPE = /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[\s\S]))/gi;

/** Letters outside ASCII as themselves: a compiler may escape them, also in templates, patterns and names. */
function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (written: string, point?: string, unit?: string, byte?: string) => {
    const code = Number.parseInt(point ?? unit ?? byte ?? "0", 16);
    return code < 0x80 || code > 0x10ffff ? written : String.fromCodePoint(code);
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\n": "",
  "\r": "",
  "\r\n": "",
  "\u2028": "",
  "\u2029": "",
};

function stringValue(literal: string): string {
  const text = literal.slice(1, -1);
  if (!text.includes("\\")) return text;
  return text.replace(
    ESCAPE,
    (_escape, point: string | undefined, unit: string | undefined, byte: string | undefined, letter = "") => {
      const code = point ?? unit ?? byte;
      return code === undefined
        ? (LETTERS[letter] ?? letter)
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

function numberValue(literal: string): string {
  const digits = literal.replaceAll("_", "");
  if (digits.endsWith("n")) return `${BigInt(digits.slice(0, -1))}n`;
  const value = Number(digits);
  return Number.isNaN(value) ? literal : String(value);
}
