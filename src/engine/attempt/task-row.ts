import type { ZodSafeParseResult } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { parseWith } from "../../model/parse-with.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import { MAX_OUTPUT_BYTES, type RowCodec } from "../../store/index.js";
import type { Awaitable } from "../../util/awaitable.js";
import { isSurelyLarger } from "../../util/least-json.js";
import type { Store } from "../ports.js";

/** The parts of a task that its row depends on. */
export type RowAddressed = Pick<TaskDescriptor, "nodeId" | "iteration" | "outputKey" | "outputSchema">;

/** A row as it is kept, and as it is read. */
export interface StoredRow {
  columns: unknown[];
  row: OutputRow;
}

/** A row as a person gave it, in its stored form, or why it is none for its task. */
export type GivenRow =
  | { readonly stored: StoredRow }
  | { readonly problem: { readonly code: string; readonly message: string } };

/** Shown of a schema's complaints at most. */
const MOST_ISSUES = 10;

/** Bytes of a field that a schema is given, as `isSurelyLarger` counts them: twice what a row may have. */
const MOST_READ_BYTES = MAX_OUTPUT_BYTES * 2;

/**
 * Parses what a task returned by its schema and puts it through its stored
 * form, so that readers see the same value now and after a restart.
 * @throws INVALID_OUTPUT naming every field that does not fit
 */
export function toStoredRow(
  store: Store,
  task: RowAddressed,
  returned: { value: unknown; runId: string; isFinal?: true | undefined },
): Awaitable<StoredRow> {
  const codec = store.codec(task.outputKey);
  refuseHuge(codec, returned.value, task.nodeId);
  const parsed = parseWith(task.outputSchema ?? codec.schema, withoutAddress(returned.value));
  const keep = (result: ZodSafeParseResult<Record<string, unknown>>) =>
    keepParsed(store, task, { result, runId: returned.runId, isFinal: returned.isFinal });
  return parsed instanceof Promise ? parsed.then(keep) : keep(parsed);
}

/**
 * A schema may make less of a value, but to read one that is far too large keeps everything else waiting. Members
 * that the schema does not name cost nothing: it leaves them out.
 */
function refuseHuge({ outputKey, schema }: RowCodec, value: unknown, nodeId: string): void {
  if (typeof value !== "object" || value === null) return;
  const row = value as Record<string, unknown>;
  const path = Object.keys(schema.shape).find((field) => isSurelyLarger(row[field], MOST_READ_BYTES));
  if (path === undefined) return;
  throw new ServiceError(
    "INVALID_OUTPUT",
    `Task ${nodeId} returned more than ${MOST_READ_BYTES} bytes of JSON in "${path}" of output "${outputKey}", which is not read.`,
    { details: { nodeId, outputKey, path, limit: MOST_READ_BYTES }, retryable: false },
  );
}

function keepParsed(
  store: Store,
  task: RowAddressed,
  {
    result,
    runId,
    isFinal,
  }: { result: ZodSafeParseResult<Record<string, unknown>>; runId: string; isFinal?: true | undefined },
): StoredRow {
  if (!result.success) {
    const issues = result.error.issues
      .slice(0, MOST_ISSUES)
      .map((issue) => `${issue.path.join(".") || "(row)"}: ${issue.message}`);
    throw new ServiceError(
      "INVALID_OUTPUT",
      `Task ${task.nodeId} returned a row that does not fit ${task.outputKey}: ${issues.join("; ")}.`,
      {
        details: { nodeId: task.nodeId, outputKey: task.outputKey, issues },
        ...(isFinal === true && { retryable: false }),
      },
    );
  }
  return storeParsedRow(store, task, { value: result.data, runId });
}

/** As `toStoredRow`, for a row that has been through its schema already: transforms must not run twice. */
export function storeParsedRow(
  store: Store,
  task: RowAddressed,
  parsed: { value: Record<string, unknown>; runId: string },
): StoredRow {
  const codec = store.codec(task.outputKey);
  const columns = encoded(codec, parsed.value, task.nodeId);
  return {
    columns,
    row: codec.decode(columns, { runId: parsed.runId, nodeId: task.nodeId, iteration: task.iteration }),
  };
}

function encoded(codec: RowCodec, row: Record<string, unknown>, nodeId: string): unknown[] {
  try {
    return codec.encode(row);
  } catch (error) {
    if (!ServiceError.is(error, "INVALID_OUTPUT")) throw error;
    throw new ServiceError(
      "INVALID_OUTPUT",
      `Task ${nodeId} returned a row that cannot be stored. ${error.summary}`,
      { details: { nodeId, ...error.details }, retryable: false },
    );
  }
}

/** The address columns are the engine's; an answer that brings them along is not wrong. */
export function withoutAddress(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  if (!("runId" in value || "nodeId" in value || "iteration" in value)) return value;
  const { runId: _runId, nodeId: _nodeId, iteration: _iteration, ...rest } = value as Record<string, unknown>;
  return rest;
}
