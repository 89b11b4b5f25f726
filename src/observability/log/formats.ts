import { hiddenName, replaceHidden } from "../../util/hidden-characters.js";
import type { LogFormat } from "../options.js";
import type { Severity } from "./level.js";
import type { LogFields, LogRecord } from "./record.js";

/** A record as one line without its end, whatever foreign text it holds. */
export const LOG_FORMATTERS: Readonly<Record<LogFormat, (record: LogRecord, colors: boolean) => string>> = {
  json({ atMs, severity, message, fields }) {
    const own = { timestamp: timestamp(atMs), level: severity.toUpperCase(), message };
    // Twice: first in the line, and no field passes for what the record says of itself.
    return replaceHidden(JSON.stringify({ ...own, ...jsonFields(fields), ...own }), jsonEscape);
  },
  logfmt({ atMs, severity, message, fields }) {
    const own = `timestamp=${timestamp(atMs)} level=${severity.toUpperCase()} message=${quoted(message)}`;
    return own + pairs(fields);
  },
  string({ atMs, severity, message, fields }) {
    return `${timestamp(atMs)} ${severity.toUpperCase()} ${inLine(message)}${pairs(fields)}`;
  },
  pretty({ atMs, severity, message, fields }, colors) {
    const paint = (code: string, text: string) => (colors ? `\u001B[${code}m${text}\u001B[0m` : text);
    const time = paint("2", timestamp(atMs).slice(11, 23));
    const level = paint(COLORS[severity], severity.toUpperCase().padEnd(5));
    return `${time} ${level} ${inLine(message)}${paint("2", pairs(fields))}`;
  },
};

const COLORS: Readonly<Record<Severity, string>> = {
  Trace: "2",
  Debug: "36",
  Info: "32",
  Warn: "33",
  Error: "31",
  Fatal: "41",
};

function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}

function given(fields: LogFields): [name: string, value: unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

function pairs(fields: LogFields): string {
  return given(fields)
    .map(([name, value]) => ` ${name.replace(/[^\w.-]/g, "_")}=${quoted(textOf(value))}`)
    .join("");
}

function jsonFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    given(fields).map(([name, value]) => {
      const json = typeof value === "object" ? jsonOf(value) : undefined;
      return [name, json === undefined ? plain(value) : (JSON.parse(json) as unknown)];
    }),
  );
}

function plain(value: unknown): unknown {
  const isJson = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  return isJson ? value : textOf(value);
}

function textOf(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === "object" && value !== null ? (jsonOf(value) ?? "[unreadable]") : String(value);
}

/** Undefined for what has no JSON, such as a circle. */
function jsonOf(value: unknown): string | undefined {
  if (value instanceof Error) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** As logfmt has it: bare when nothing in it could be taken for the end of it. */
function quoted(text: string): string {
  if (/^[^\s"=\\]+$/.test(text)) return replaceHidden(text, hiddenName);
  return `"${inLine(text.replace(/["\\]/g, "\\$&"))}"`;
}

function inLine(text: string): string {
  return replaceHidden(text.replaceAll("\n", "\\n").replaceAll("\t", "\\t"), hiddenName);
}

/** JSON has no escape but that of UTF-16 units. */
function jsonEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}
