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
  optional: false,
  nullable: false,
};

/** The input table: one column per field, or one JSON payload without an input schema. */
export class InputCodec {
  readonly tableName = "input";
  readonly columns: readonly ColumnSpec[];
  readonly hasSchema: boolean;
  readonly #writer: RowWriter;
  readonly #reader: RowReader;

  constructor(columns: readonly ColumnSpec[] | undefined) {
    this.hasSchema = columns !== undefined;
    this.columns = columns ?? [PAYLOAD_COLUMN];
    this.#writer = new RowWriter(this.columns, refuseInput);
    this.#reader = new RowReader(this.columns);
  }

  encode(input: Record<string, unknown>): SqlValue[] {
    if (this.hasSchema) return this.#writer.write(input);
    return [toTaggedJson(input, { at: "input", refuse: refuseInput, maxDepth: MAX_INPUT_DEPTH })];
  }

  /** `offset` is the position of the first column among the values. */
  decode(values: readonly unknown[], offset = 0): Record<string, unknown> {
    if (this.hasSchema) return this.#reader.read(values, offset);
    return fromTaggedJson(String(values[offset])) as Record<string, unknown>;
  }
}

const refuseInput: Refuse = (path, problem) => {
  const at = formatPath(path);
  return new ServiceError("INVALID_INPUT", `Input field "${at}" ${problem}.`, {
    details: { issues: [{ path: at, message: problem }] },
  });
};
