import { randomUUID } from "node:crypto";

/**
 * Starts a style. No code outside this process knows it, so no foreign text can hold one: the only text that the
 * writer turns into colour is the text that this code has painted.
 */
const MARK = `\u001b<${randomUUID()}>`;

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

type Style = keyof typeof CODES;

/** Paints text for an `OutputStream`, which alone turns it into terminal codes. */
export type Colors = Readonly<Record<Style, (text: string) => string>>;

export function createColors(isOn: boolean): Colors {
  const paints = Object.entries(CODES).map(([name, [on, off]]) => {
    const [open, close] = [`${MARK}${on};`, `${MARK}${off};`];
    // A style inside this one ends itself only.
    return [name, (text: string) => (isOn ? `${open}${text.replaceAll(close, close + open)}${close}` : text)];
  });
  return Object.fromEntries(paints) as Colors;
}

const STYLE = new RegExp(`(${MARK}\\d+;)`);

/** `text` with `change` applied to all that is not a style. */
export function outsideStyles(text: string, change: (plain: string) => string): string {
  if (!text.includes(MARK)) return change(text);
  return text
    .split(STYLE)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

export function withoutStyles(text: string): string {
  return text
    .split(STYLE)
    .filter((_, index) => index % 2 === 0)
    .join("");
}

/** Styles as the codes that a terminal knows. */
export function asTerminalCodes(text: string): string {
  return text
    .split(STYLE)
    .map((part, index) => (index % 2 === 0 ? part : `\u001b[${part.slice(MARK.length, -1)}m`))
    .join("");
}
