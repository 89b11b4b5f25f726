import { z } from "zod";

/**
 * The JSON Schema of what an agent may answer: the input side of a zod schema, in draft 7, with
 * objects closed. Dates and big integers, which JSON lacks, appear as strings; see
 * {@link validateAnswer} for the way back.
 */
export function answerJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: node }) => {
      const type = zodSchema._zod.def.type;
      if (type === "date") Object.assign(node, { type: "string", format: "date-time" });
      if (type === "bigint") Object.assign(node, { type: "string", pattern: "^-?\\d+$" });
      if (type === "object" && node.additionalProperties === undefined) node.additionalProperties = false;
    },
  });
  return jsonSchema;
}

/** Address columns: an answer that repeats them from its context does not set them. */
const ADDRESS_KEYS = ["runId", "nodeId", "iteration"] as const;

export type AnswerValidation<Row> = { ok: true; row: Row } | { ok: false; issues: string[] };

/**
 * Validates a candidate answer. Top-level `runId`, `nodeId` and `iteration` are dropped first;
 * date and integer texts are converted where, and only where, the schema asks for a Date or bigint.
 * Issues read `path: message`.
 */
export async function validateAnswer<S extends z.ZodObject>(
  schema: S,
  candidate: unknown,
): Promise<AnswerValidation<z.output<S>>> {
  const answer = withoutAddress(candidate);
  let result = await schema.safeParseAsync(answer);
  if (!result.success) {
    const revived = revive(answer, result.error.issues);
    if (revived !== undefined) result = await schema.safeParseAsync(revived);
  }
  if (result.success) return { ok: true, row: result.data };
  return { ok: false, issues: result.error.issues.map(describeIssue) };
}

function withoutAddress(candidate: unknown): unknown {
  if (typeof candidate !== "object" || candidate === null || Array.isArray(candidate)) return candidate;
  const copy: Record<string, unknown> = { ...candidate };
  for (const key of ADDRESS_KEYS) delete copy[key];
  return copy;
}

/** A copy of `answer` with texts turned into Date and bigint where the issues say one was expected. */
function revive(answer: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  let copy: unknown;
  for (const issue of issues.flatMap(expandUnion)) {
    if (issue.code !== "invalid_type" || issue.path.length === 0) continue;
    const convert = issue.expected === "date" ? toDate : issue.expected === "bigint" ? toBigInt : undefined;
    if (convert === undefined) continue;
    copy ??= structuredClone(answer);
    replaceAt(copy, issue.path, convert);
  }
  return copy;
}

/** The issues of a union's branches, with their paths made absolute. */
function expandUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  return issue.errors
    .flat()
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(expandUnion);
}

function replaceAt(root: unknown, path: readonly PropertyKey[], convert: (value: unknown) => unknown): void {
  let parent = root;
  for (const key of path.slice(0, -1)) parent = (parent as Record<PropertyKey, unknown> | undefined)?.[key];
  const last = path.at(-1) as PropertyKey;
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) return;
  const holder = parent as Record<PropertyKey, unknown>;
  holder[last] = convert(holder[last]);
}

function toDate(value: unknown): unknown {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
}

function toBigInt(value: unknown): unknown {
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
