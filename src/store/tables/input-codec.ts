import { ServiceError } from "../../errors/service-error.js";
import { MAX_INPUT_DEPTH } from "../limits.js";
import type { SqlValue } from "../sql-port.js";
import type { ColumnSpec } from "./column.js";
import { formatPath } from "./names.js";
import { RowReader, RowWriter } from "./row-codec.js";
import { fromTaggedJson, type Refuse, toTaggedJson } from "./tagged-json.js";

/** Column that holds the whole input where the workflow declares no input schema; it is no field of its own. */
export const PAYLOAD_COLUMN: ColumnSpec = {
  field: "",
  column: "payload",
  kind: "json",
  valueKind: "json",
  optional: false,
  nullable: false,
};

const refuse: Refuse = (path, problem) => {
  const at = formatPath(path);
  return new ServiceError(
    "INVALID_INPUT",
    `${at === "" ? "The run's input" : `Input field "${at}"`} ${problem}.`,
    {
      details: { issues: [{ path: at, message: problem }] },
    },
  );
};

/** A column is one level inside the input. */
const COLUMN_ENCODING = { refuse, maxDepth: MAX_INPUT_DEPTH - 1 };
const PAYLOAD_ENCODING = { refuse, maxDepth: MAX_INPUT_DEPTH };

/** An input, or a part of it, as its size is counted. @throws INVALID_INPUT for a value that cannot be stored */
export function inputJson(input: unknown): string {
  return toTaggedJson(input, PAYLOAD_ENCODING);
}

/**
 * The input table: one column per field, or one JSON payload without an input
 * schema. Expects rows that `validateInput` has accepted.
 */
export class InputCodec {
  readonly tableName = "input";
  readonly columns: readonly ColumnSpec[];
  readonly hasSchema: boolean;
  readonly #writer: RowWriter;
  readonly #reader: RowReader;
  /** Position of the payload column; -1 without one. */
  readonly #payloadAt: number;

  constructor(columns: readonly ColumnSpec[] | undefined) {
    this.hasSchema = columns !== undefined;
    this.columns = columns ?? [PAYLOAD_COLUMN];
    this.#writer = new RowWriter(this.columns, COLUMN_ENCODING);
    this.#reader = new RowReader(this.columns);
    this.#payloadAt = this.columns.findIndex(({ field }) => field === PAYLOAD_COLUMN.field);
  }

  /** @throws INVALID_INPUT for a value that cannot be stored */
  encode(input: Record<string, unknown>): SqlValue[] {
    return this.hasSchema ? this.#writer.write(input) : [inputJson(input)];
  }

  /** `offset` is the position of the first column among the values. */
  decode(values: readonly unknown[], offset = 0): Record<string, unknown> {
    const payload = this.#payloadAt < 0 ? null : values[this.#payloadAt + offset];
    if (typeof payload === "string") return fromTaggedJson(payload) as Record<string, unknown>;
    return this.#reader.read(values, offset);
  }
}
