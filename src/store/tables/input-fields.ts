import { type ColumnSpec, describeValue } from "./column.js";
import { checkShape } from "./input-shape.js";
import { type InputIssue, mismatchOf, mismatch } from "./input-values.js";

/** The members of `value` that the columns take, with every type mismatch added to `issues`. */
export function checkFields(
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
