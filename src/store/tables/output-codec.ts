import { toJSONSchema, type ZodObject } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputRow, RowAddress } from "../../model/schema.js";
import { utf8Length } from "../../util/bounded-text.js";
import { shortHash } from "../../util/hash.js";
import { largestMember, type MemberSize } from "../../util/largest-member.js";
import { isSurelyLarger } from "../../util/least-json.js";
import { stableJson } from "../../util/stable-json.js";
import type { RowCodec } from "../row-codec.js";
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_DEPTH } from "../limits.js";
import type { SqlValue } from "../sql-port.js";
import type { ColumnSpec } from "./column.js";
import { formatPath } from "./names.js";
import { addressed, RowReader, RowWriter } from "./row-codec.js";

/** The codec of one output table. */
export class OutputCodec implements RowCodec {
  readonly outputKey: string;
  readonly tableName: string;
  readonly schema: ZodObject;
  readonly columns: readonly ColumnSpec[];
  readonly #writer: RowWriter;
  readonly #reader: RowReader;
  /** Positions of columns whose values can be large. */
  readonly #wide: readonly number[];
  /** Bytes that a row has outside of its wide columns, at most, as `isSurelyLarger` counts. */
  readonly #ownBytes: number;
  #signature: string | undefined;

  constructor(table: { key: string; tableName: string; schema: ZodObject; columns: readonly ColumnSpec[] }) {
    this.outputKey = table.key;
    this.tableName = table.tableName;
    this.schema = table.schema;
    this.columns = table.columns;
    this.#writer = new RowWriter(table.columns, {
      refuse: (path, problem) => this.#refuse(path, problem),
      maxDepth: MAX_OUTPUT_DEPTH,
    });
    this.#reader = new RowReader(table.columns);
    this.#ownBytes = table.columns.reduce((sum, { field }) => sum + field.length + 8, 2);
    this.#wide = table.columns.flatMap(({ kind }, index) =>
      kind === "text" || kind === "json" || kind === "extra" ? [index] : [],
    );
  }

  encode(row: Record<string, unknown>): SqlValue[] {
    // Names and short values of the columns are not part of what is limited.
    if (isSurelyLarger(row, MAX_OUTPUT_BYTES + this.#ownBytes)) throw this.#tooLarge();
    const values = this.#writer.write(row);
    if (this.#wide.length > 0) this.#checkSize(values);
    return values;
  }

  decode(columns: readonly unknown[], address: RowAddress): OutputRow {
    return addressed(this.#reader.read(columns), address);
  }

  get signature(): string {
    this.#signature ??= tableSignature(this.columns, this.schema);
    return this.#signature;
  }

  #tooLarge(): ServiceError {
    const { outputKey } = this;
    return new ServiceError(
      "INVALID_OUTPUT",
      `A row of output "${outputKey}" has more than ${MAX_OUTPUT_BYTES} bytes of text, which is the limit.`,
      { retryable: false, details: { outputKey, path: "", limit: MAX_OUTPUT_BYTES } },
    );
  }

  #checkSize(values: readonly SqlValue[]): void {
    let units = 0;
    for (const index of this.#wide) units += (values[index] as string | null)?.length ?? 0;
    // A UTF-16 unit is at most 3 bytes of UTF-8: most rows need no exact count.
    if (units * 3 <= MAX_OUTPUT_BYTES) return;
    const sizes = this.#wide.map((index) => utf8Length((values[index] as string | null) ?? ""));
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (size <= MAX_OUTPUT_BYTES) return;
    const at = sizes.indexOf(Math.max(...sizes));
    const position = this.#wide[at] as number;
    const largest = largestIn(this.columns[position] as ColumnSpec, {
      text: values[position] as string,
      size: sizes[at] as number,
    });
    throw new ServiceError(
      "INVALID_OUTPUT",
      `A row of output "${this.outputKey}" has ${size} bytes of text; the limit is ${MAX_OUTPUT_BYTES}. Its largest field is "${largest.path}" with ${largest.size} bytes.`,
      {
        retryable: false,
        details: { outputKey: this.outputKey, path: largest.path, size, limit: MAX_OUTPUT_BYTES },
      },
    );
  }

  #refuse(path: readonly (string | number)[], problem: string): ServiceError {
    const at = formatPath(path);
    return new ServiceError("INVALID_OUTPUT", `Field "${at}" of output "${this.outputKey}" ${problem}.`, {
      retryable: false,
      details: { outputKey: this.outputKey, path: at, issues: [{ path: at, message: problem }] },
    });
  }
}

/** Where most of a column is: its field, or what inside of it stands out. */
function largestIn({ field, kind }: ColumnSpec, stored: { text: string; size: number }): MemberSize {
  if (kind === "text") return { path: field, size: stored.size };
  // Members that no field declares share a column whose name is not theirs.
  return largestMember(stored.text, kind === "extra" ? undefined : field);
}

/** Changes when a column or a declared rule of the schema changes; functions inside a schema do not show. */
function tableSignature(columns: readonly ColumnSpec[], schema: ZodObject): string {
  const layout = columns.map(({ column, kind, optional, nullable }) => [column, kind, optional, nullable]);
  const rules = toJSONSchema(schema, { unrepresentable: "any", io: "output" });
  return shortHash(stableJson([layout, rules]));
}
