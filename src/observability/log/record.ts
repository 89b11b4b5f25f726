import type { Severity } from "./level.js";

/** Facts beside the message. Undefined values are left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One thing that is said once. */
export interface LogRecord {
  /** Epoch ms. */
  readonly atMs: number;
  readonly severity: Severity;
  readonly message: string;
  readonly fields: LogFields;
}
