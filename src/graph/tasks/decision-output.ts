import type { ZodObject, ZodType } from "zod";
import type { ApprovalMode } from "../../model/approval.js";
import type { HostElement } from "../../model/host-node.js";
import { parseWith } from "../../model/parse-with.js";
import type { TaskDescriptor } from "../../model/task.js";
import { frameError } from "../frame-error.js";

type DecisionMode = Exclude<ApprovalMode, "gate">;

interface DecisionField {
  name: string;
  /** The values that the row may have. */
  values: readonly unknown[];
  /** As a reader writes it. */
  type: string;
  isRequired?: true;
}

const text = (name: string): DecisionField => ({ name, values: ["text", null], type: "string | null" });

/** The row that a decision becomes. An output may have a part of it. */
const FIELDS: Readonly<Record<DecisionMode, readonly DecisionField[]>> = {
  decision: [
    { name: "approved", values: [true, false], type: "boolean", isRequired: true },
    text("note"),
    text("decidedBy"),
    text("decidedAt"),
  ],
  select: [{ name: "selected", values: ["text"], type: "string", isRequired: true }, text("notes")],
  rank: [{ name: "ranked", values: [["text"]], type: "string[]", isRequired: true }, text("notes")],
};

/** The problem of a schema as the output of a mode; null for one that fits. */
const known = new WeakMap<ZodObject, Map<DecisionMode, string | null>>();

/** @throws APPROVAL_OUTPUT_MISFIT naming the field of the output that no decision fits */
export function checkDecisionOutput(element: HostElement, task: TaskDescriptor): void {
  const { approvalMode: mode = "decision" } = task;
  // A gate writes no row of its own.
  if (mode === "gate") return;
  for (const schema of new Set([task.outputRef, task.outputSchema])) {
    const problem = schema === undefined ? null : mismatchOf(schema as ZodObject, mode);
    if (problem === null) continue;
    const row = FIELDS[mode].map(({ name, type }) => `${name}: ${type}`).join(", ");
    throw frameError(
      "APPROVAL_OUTPUT_MISFIT",
      element,
      `has an output that ${problem}. The row is {${row}}.`,
    );
  }
}

function mismatchOf(schema: ZodObject, mode: DecisionMode): string | null {
  const modes = known.get(schema) ?? new Map<DecisionMode, string | null>();
  known.set(schema, modes);
  let problem = modes.get(mode);
  if (problem === undefined) {
    problem = findMismatch(schema, FIELDS[mode]);
    modes.set(mode, problem);
  }
  return problem;
}

function findMismatch({ shape, _zod }: ZodObject, fields: readonly DecisionField[]): string | null {
  const { catchall } = _zod.def;
  const isStrict = catchall?._zod.def.type === "never";
  const isLoose = catchall !== undefined && !isStrict;
  for (const { name, values, type, isRequired } of fields) {
    const own = shape[name];
    if (own === undefined) {
      if (isStrict || (isRequired === true && !isLoose)) return `lacks the field ${name} (${type})`;
    } else if (values.some((value) => isOfOtherType(own, value))) {
      return `cannot hold the field ${name}, which is ${type}`;
    }
  }
  const names = new Set(fields.map(({ name }) => name));
  const other = Object.keys(shape).find(
    (name) => !names.has(name) && isOfOtherType(shape[name] as FieldSchema, undefined),
  );
  return other === undefined ? null : `needs the field ${other}, which no decision has`;
}

type FieldSchema = ZodObject["shape"][string];

/** Only the type counts: which texts a field takes is decided when there is one. */
function isOfOtherType(schema: FieldSchema, value: unknown): boolean {
  try {
    const parsed = parseWith(schema as ZodType, value);
    if (parsed instanceof Promise) {
      // Its type is right; a rejection of an example value by an asynchronous rule is no error.
      parsed.catch(() => {});
      return false;
    }
    const issues: readonly { code?: string }[] = parsed.error?.issues ?? [];
    const isAbsent = value === null || value === undefined;
    return isAbsent ? issues.length > 0 : issues.some(({ code }) => code === "invalid_type");
  } catch {
    // A check of the author's own that does not take just any value.
    return false;
  }
}
