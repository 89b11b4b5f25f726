import { shorten } from "../../util/bounded-text.js";
import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor } from "../../util/redactor.js";
import type { LogFormat } from "../options.js";
import { LOG_FORMATTERS } from "./formats.js";
import { isAtLeast, type LogLevel, type Severity } from "./level.js";
import type { LogFields, LogRecord } from "./record.js";
import { taskFields } from "./task-fields.js";

export interface LoggerOptions {
  readonly format: LogFormat;
  readonly level: LogLevel;
  /** Gets one line with its end. @default the process's stderr */
  readonly write?: (line: string) => void;
  /** Whether `pretty` is colored. @default as stderr and NO_COLOR say */
  readonly colors?: boolean;
}

/** Fields that say what a record is about: they are written as they are, but for the secrets that are known. */
const IDENTITIES: ReadonlySet<string> = new Set(["runId", "nodeId", "newRunId", "workflowName"]);

/** Longest message, and longest text in a field, characters. */
const LONGEST_TEXT = 8_000;

/** Writes records, one line each, without the secrets that the environment names as such. */
export class Logger {
  readonly level: LogLevel;
  readonly #format: (record: LogRecord, colors: boolean) => string;
  readonly #write: (line: string) => void;
  readonly #colors: boolean;
  readonly #redactor = createRedactor(secretsOfEnvironment(process.env));

  constructor({ format, level, write = writeStderr, colors = isColored() }: LoggerOptions) {
    this.level = level;
    this.#format = LOG_FORMATTERS[format];
    this.#write = write;
    this.#colors = colors;
  }

  logs(severity: Severity): boolean {
    return isAtLeast(severity, this.level);
  }

  /** Now, with the fields of the task that the caller runs in, which its own may replace. Never throws. */
  log(severity: Severity, message: string, fields: LogFields = {}): void {
    this.write({ atMs: Date.now(), severity, message, fields: { ...taskFields(), ...fields } });
  }

  /** The record as it is. Never throws. */
  write(record: LogRecord): void {
    if (!this.logs(record.severity)) return;
    try {
      this.#write(`${this.#format(this.#clean(record), this.#colors)}\n`);
    } catch {
      // A record that could not be logged harms no run.
    }
  }

  #clean(record: LogRecord): LogRecord {
    const fields = Object.entries(record.fields).map(([name, value]) => [
      name,
      this.#cleanField(name, value),
    ]);
    return {
      ...record,
      message: this.#cleanText(record.message),
      fields: Object.fromEntries(fields) as LogFields,
    };
  }

  #cleanField(name: string, value: unknown): unknown {
    if (typeof value === "string" && IDENTITIES.has(name))
      return shorten(this.#redactor.text(value), LONGEST_TEXT);
    if (value instanceof Error) return this.#cleanText(`${value.name}: ${value.message}`);
    return typeof value === "string" ? this.#cleanText(value) : this.#redactor.value(value);
  }

  #cleanText(text: string): string {
    return shorten(this.#redactor.diagnostic(text), LONGEST_TEXT);
  }
}

function writeStderr(line: string): void {
  process.stderr.write(line);
}

function isColored(): boolean {
  return process.stderr.isTTY === true && !process.env.NO_COLOR;
}
