import { redactShapes } from "./credential-shapes.js";
import { isPlainObject } from "./same-data.js";
import { spellingsOf } from "./secret-spellings.js";

export const REDACTED = "[redacted]";

/** Keeps known secrets out of what comes from elsewhere, however they are spelled there. */
export interface Redactor {
  /** `text` without the secrets. */
  text(text: string): string;
  /** A JSON value without them, names included. */
  value<T>(value: T): T;
  /** For errors and diagnostics: also without whatever has the shape of a credential. */
  diagnostic(text: string): string;
  /** The same of every text of a JSON value, such as an error as it is kept. */
  diagnosticValue<T>(value: T): T;
  /** How many characters at the end of `text` may be the beginning of a secret whose rest is still to come. */
  begunAtEndOf(text: string): number;
}

export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = [...new Set([...secrets].flatMap(spellingsOf))];
  // The longest first, so that a secret which contains another leaves no rest.
  forms.sort((a, b) => b.length - a.length);
  const pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join("|"), "g");
  const text = (input: string) => (pattern === undefined ? input : input.replace(pattern, REDACTED));
  const diagnostic = (input: string) => redactShapes(text(input));
  return {
    text,
    value: <T>(input: T) => (pattern === undefined ? input : (cleaned(input, text) as T)),
    begunAtEndOf: (input) => forms.reduce((longest, form) => Math.max(longest, overlap(input, form)), 0),
    diagnostic,
    diagnosticValue: <T>(input: T) => cleaned(input, diagnostic) as T,
  };
}

function cleaned(input: unknown, text: (input: string) => string): unknown {
  if (typeof input === "string") return text(input);
  if (typeof input === "number") return text(String(input)) === String(input) ? input : REDACTED;
  if (Array.isArray(input)) return input.map((item) => cleaned(item, text));
  // Bytes, dates and addresses keep their class.
  if (!isPlainObject(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, member]) => [text(name), cleaned(member, text)]),
  );
}

/** Length of the longest end of `text` with which `form` begins and does not end. */
function overlap(text: string, form: string): number {
  const last = text.charCodeAt(text.length - 1);
  let length = Math.min(form.length - 1, text.length);
  while (length > 0 && (form.charCodeAt(length - 1) !== last || !text.endsWith(form.slice(0, length)))) {
    length -= 1;
  }
  return length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
