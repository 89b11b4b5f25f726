import { safeParse, type $ZodType } from "zod/v4/core";
import { type ColumnSpec, describeValue, KIND_NAME } from "./column.js";
import { formatPath } from "./names.js";

/** One field that does not fit, as `details.issues` lists it. */
export interface InputIssue {
  path: string;
  message: string;
  /** What the field takes; absent where only `message` says it. */
  expected?: string;
  received: string;
}

/** An issue of the usual form. */
export function mismatch(path: string, expected: string, received: string): InputIssue {
  return { path, message: `expected ${expected}, received ${received}`, expected, received };
}

/** The members of `value` that the columns take, with every misfit added to `issues`. */
export function checkFields(
  columns: readonly ColumnSpec[],
  value: Record<string, unknown>,
  issues: InputIssue[],
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const fields = new Set(columns.map(({ field }) => field));
  const extra = columns.find(({ kind }) => kind === "extra");
  for (const [field, given] of Object.entries(value)) {
    if (fields.has(field) && field !== extra?.field) continue;
    if (extra === undefined) issues.push(mismatch(field, "no field of this name", describeValue(given)));
    else row[field] = checkBySchema({ ...extra, field }, given, issues);
  }
  for (const column of columns) {
    if (column.kind === "extra") continue;
    const checked = checkField(
      column,
      Object.hasOwn(value, column.field) ? value[column.field] : undefined,
      issues,
    );
    if (checked !== undefined) row[column.field] = checked;
  }
  return row;
}

function checkField(column: ColumnSpec, given: unknown, issues: InputIssue[]): unknown {
  const { field, valueKind, optional, nullable, values } = column;
  if (given === undefined && (optional || nullable)) return optional ? undefined : null;
  if (given === null && nullable) return null;
  if (valueKind === "json") return checkBySchema(column, given, issues);
  const value = valueKind === "date" && isIsoTime(given) ? new Date(given) : given;
  if (!hasKind(value, valueKind) || (values !== undefined && !values.has(value))) {
    const expected =
      values === undefined ? expectedOf(valueKind) : `one of ${[...values].map(show).join(", ")}`;
    const received = values !== undefined && typeof value === "string" ? show(value) : describeValue(value);
    issues.push(mismatch(field, expected, received));
  }
  return value;
}

/** The value as given, whatever the schema would make of it. */
function checkBySchema({ field, schema }: ColumnSpec, given: unknown, issues: InputIssue[]): unknown {
  if (schema === undefined) return given;
  for (const { path, message } of issuesOf(schema, given)) {
    issues.push({
      path: formatPath([field, ...path]),
      message,
      received: describeValue(at(given, path)),
    });
  }
  return given;
}

function issuesOf(schema: $ZodType, value: unknown): { path: (string | number)[]; message: string }[] {
  try {
    const { error } = safeParse(schema, value);
    return (error?.issues ?? []).map(({ path, message }) => ({
      path: path.map((step) => (typeof step === "symbol" ? String(step) : step)),
      message,
    }));
  } catch {
    // zod throws for a check that returns a promise.
    return [{ path: [], message: "a field without asynchronous checks" }];
  }
}

function hasKind(value: unknown, kind: ColumnSpec["kind"]): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value);
    case "real":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return value instanceof Date && !Number.isNaN(value.getTime());
    default:
      return true;
  }
}

function expectedOf(kind: ColumnSpec["kind"]): string {
  return kind === "date" ? "a Date or an ISO 8601 string" : KIND_NAME[kind];
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

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const step of path) inner = (inner as Record<string | number, unknown> | null | undefined)?.[step];
  return inner;
}
