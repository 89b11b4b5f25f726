import { ServiceError } from "../../errors/service-error.js";
import type { RowAddress } from "../../model/schema.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { shorten } from "../../util/bounded-text.js";

/** A field of a row that a composite needs. */
export interface NeededField<Value> {
  /** The prop that names the output of the row. */
  readonly prop: string;
  readonly field: string;
  /** As it reads after "expected". */
  readonly expected: string;
  fits(value: unknown): value is Value;
}

/** The fields that composites decide by. */
export const isFlag = {
  expected: "true or false",
  fits: (value: unknown): value is boolean => typeof value === "boolean",
};

export const isNumber = {
  expected: "a number",
  fits: (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value),
};

export const isList = {
  expected: "a list",
  fits: (value: unknown): value is readonly unknown[] => Array.isArray(value),
};

/**
 * The field of a row that a composite decides by; a row without it would make it wait or repeat for nothing.
 * @throws INVALID_OUTPUT naming component, prop, field and what stands there
 */
export function readField<Value>(
  composite: Composite,
  row: object,
  { prop, field, expected, fits }: NeededField<Value>,
): Value {
  const value = (row as Readonly<Record<string, unknown>>)[field];
  if (fits(value)) return value;
  const { runId, nodeId, iteration } = row as Partial<RowAddress>;
  const isStored = nodeId !== undefined;
  const whose = isStored ? ` of task ${nodeId}, iteration ${iteration}, of run ${runId}` : "";
  const found = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  throw new ServiceError(
    "INVALID_OUTPUT",
    `${compositeName(composite)} reads the field "${field}" of its ${prop}; the row${whose} has ${shorten(found, 80)} there; expected ${expected}.`,
    {
      details: {
        tag: composite.tag,
        prop,
        field,
        ...composite.source,
        ...(isStored && { storedRow: { runId, nodeId, iteration } }),
      },
      retryable: false,
    },
  );
}
