import { redact } from "../sdk/redact.js";
import { isRecord } from "../structured/read-usage.js";

export const REDACTED = "[redacted]";

/** Keeps known secrets out of everything that an agent says. */
export interface Redactor {
  /** `text` without the secrets. */
  text(text: string): string;
  /** A JSON value without them, names included. */
  value<T>(value: T): T;
  /** For errors and diagnostics: also without whatever has the shape of a credential. */
  diagnostic(text: string): string;
  /** How many characters at the end of `text` may be the beginning of a secret whose rest is still to come. */
  begunAtEndOf(text: string): number;
}

export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = [...new Set([...secrets].flatMap(formsOf))].filter((form) => form !== "");
  // The longest first, so that a secret which contains another leaves no rest.
  forms.sort((a, b) => b.length - a.length);
  const pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join("|"), "g");
  const text = (input: string) => (pattern === undefined ? input : input.replace(pattern, REDACTED));
  const value = (input: unknown): unknown => {
    if (typeof input === "string") return text(input);
    if (Array.isArray(input)) return input.map(value);
    // Bytes, dates and addresses keep their class.
    if (!isRecord(input) || ![Object.prototype, null].includes(Object.getPrototypeOf(input))) return input;
    return Object.fromEntries(Object.entries(input).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    text,
    value: <T>(input: T) => (pattern === undefined ? input : (value(input) as T)),
    begunAtEndOf: (input) => Math.max(0, ...forms.map((form) => overlap(input, form))),
    diagnostic: (input) => redact(text(input)),
  };
}

/** Length of the longest end of `text` with which `form` begins and does not end. */
function overlap(text: string, form: string): number {
  let length = Math.min(form.length - 1, text.length);
  while (length > 0 && !text.endsWith(form.slice(0, length))) length -= 1;
  return length;
}

/** A secret as it stands, and as JSON and addresses spell it. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
