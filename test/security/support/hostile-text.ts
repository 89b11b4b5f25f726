/** Texts that act on a terminal or deceive their reader, by what they do. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  "repaints the screen": "\u001b[2J\u001b[HApprove the harmless one? [y/N] ",
  "moves up and overwrites": "\u001b[3A\u001b[2K? Pay 10 to Bob",
  "returns to the start of the line": "Pay 1,000,000 to Eve\rPay 10 to Bob          ",
  "hides what follows": "\u001b[8mhidden\u001b[0m",
  "sets the title of the window": "\u001b]0;owned\u0007",
  "writes to the clipboard": "\u001b]52;c;cm0gLXJmIC8=\u0007",
  "makes a link": "\u001b]8;;https://evil.example\u001b\\safe\u001b]8;;\u001b\\",
  "uses the eight-bit forms": "\u009b2J\u009d0;owned\u009c",
  "asks the terminal to type": "\u001b[6n\u001bP$qm\u001b\\",
  "deletes backwards": "Pay Eve\b\b\bBob",
  "turns the direction of reading": "pay \u202e001 of 0\u202c \u2066x\u2069 \u200f",
  "adds invisible characters": "pay\u200b\u200c\u2060\ufeff\u00ad\u3164 bob \u{e0041}\u{e0042}",
  "breaks lines in other ways": "a\u2028b\u2029c\u0085d\u000be\u000cf",
  "holds half a character": "\ud800 and \udfff",
};

/** What must not reach a terminal, own colours removed: stated here on its own, not taken from the code. */
export const ACTS_ON_TERMINAL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;

/** Terminal output without the six styles that the command line has. */
/** What a redrawn picture does to the terminal by itself: cursor, update marks, going up to its own first line. */
export function withoutOwnMoves(output: string): string {
  return output.replaceAll(/\u001b\[(?:\?25[hl]|\?2026[hl])|\r\u001b\[\d+A\u001b\[0J/g, "");
}

export function withoutOwnStyles(output: string): string {
  return output.replace(/\u001b\[(?:1|2|22|31|32|33|36|39)m/g, "");
}
