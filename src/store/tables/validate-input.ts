import { ServiceError } from "../../errors/service-error.js";
import { utf8Length } from "../../util/bounded-text.js";
import { largestMember } from "../../util/largest-member.js";
import { isSurelyLarger } from "../../util/least-json.js";
import { MAX_INPUT_BYTES } from "../limits.js";
import { type ColumnSpec, describeValue } from "./column.js";
import { type InputCodec, inputJson } from "./input-codec.js";
import { checkShape } from "./input-shape.js";
import { type InputIssue, isPlainRecord, mismatch, mismatchOf } from "./input-values.js";

/**
 * Checks a run's input against the input table, not with the schema's parse:
 * nothing is coerced, defaulted, transformed or refined. A field and what is
 * inside it are checked by type (an enum or literal by membership) and presence.
 * A date field takes a Date or ISO 8601 text (a day, or a time with Z or offset) and is read back as a Date. A
 * field may be missing when it is optional, nullable or has a default.
 *
 * @returns the input as the run will read it back
 * @throws INVALID_INPUT listing every field that does not fit, or naming the limit that it exceeds
 */
export function validateInput(codec: InputCodec, value: unknown): Record<string, unknown> {
  const issues: InputIssue[] = [];
  if (!isPlainRecord(value)) {
    throw invalid([mismatch("", "an object", describeValue(value))]);
  }
  const row = codec.hasSchema ? checkFields(codec.columns, value, issues) : value;
  if (issues.length > 0) throw invalid(issues);
  checkSize(row);
  return codec.decode(codec.encode(row));
}

function checkSize(row: Record<string, unknown>): void {
  if (isSurelyLarger(row, MAX_INPUT_BYTES)) {
    throw new ServiceError(
      "INVALID_INPUT",
      `The run's input is more than ${MAX_INPUT_BYTES} bytes of JSON, which is the limit.`,
      { details: { path: "", limit: MAX_INPUT_BYTES } },
    );
  }
  const size = utf8Length(inputJson(row));
  if (size <= MAX_INPUT_BYTES) return;
  const [[field = "", json = ""] = []] = Object.entries(row)
    .map(([name, member]) => [name, inputJson(member)] as const)
    .sort(([, a], [, b]) => b.length - a.length);
  const largest = largestMember(json, field);
  throw new ServiceError(
    "INVALID_INPUT",
    `The run's input is ${size} bytes of JSON; the limit is ${MAX_INPUT_BYTES}. Its largest field is "${largest.path}" with ${largest.size} bytes.`,
    { details: { issues: [largest], path: largest.path, size, limit: MAX_INPUT_BYTES } },
  );
}

function invalid(issues: readonly InputIssue[]): ServiceError {
  const list = issues.map(({ path, message }) => `${path || "the input"}: ${message}`);
  return new ServiceError("INVALID_INPUT", `The run's input does not fit: ${list.join("; ")}.`, {
    details: { issues },
  });
}

/** The members of `value` that the columns take, with every type mismatch added to `issues`. */
function checkFields(
  columns: readonly ColumnSpec[],
  value: Record<string, unknown>,
  issues: InputIssue[],
): Record<string, unknown> {
  const row: [field: string, value: unknown][] = [];
  const fields = new Set(columns.map(({ field }) => field));
  const extra = columns.find(({ kind }) => kind === "extra");
  for (const [field, given] of Object.entries(value)) {
    if (fields.has(field) && field !== extra?.field) continue;
    if (extra === undefined) issues.push(mismatch(field, "no field of this name", describeValue(given)));
    else row.push([field, checkInside({ ...extra, field }, given, issues)]);
  }
  for (const column of columns) {
    if (column.kind === "extra") continue;
    const checked = checkField(
      column,
      Object.hasOwn(value, column.field) ? value[column.field] : undefined,
      issues,
    );
    if (checked !== undefined) row.push([column.field, checked]);
  }
  // An assignment to `__proto__` would change the prototype instead.
  return Object.fromEntries(row);
}

function checkField(column: ColumnSpec, given: unknown, issues: InputIssue[]): unknown {
  const { field, valueKind, optional, nullable } = column;
  if (given === undefined && (optional || nullable)) return optional ? undefined : null;
  if (given === null && nullable) return null;
  if (valueKind === "json") return checkInside(column, given, issues);
  const value = valueKind === "date" && isIsoTime(given) ? new Date(given) : given;
  const typeMismatch = mismatchOf(value, column);
  if (typeMismatch !== undefined) issues.push(mismatch(field, typeMismatch.expected, typeMismatch.received));
  return value;
}

/** The value as given. Without a schema nothing is known about it. */
function checkInside({ field, schema }: ColumnSpec, given: unknown, issues: InputIssue[]): unknown {
  if (schema !== undefined) checkShape(schema, given, { path: [field], issues });
  return given;
}

/** A day, or a moment with its offset: without one it would mean another moment on every host. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function isIsoTime(value: unknown): value is string {
  const match = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (match === null || Number.isNaN(Date.parse(match[0]))) return false;
  // Date takes the 30th of February for the 1st of March.
  const day = match[1] as string;
  return new Date(day).toISOString().startsWith(day);
}
