import { read } from "../logic/work.js";
import type { FactVector, NearestSearch, VectorPage } from "../memory-records.js";
import { firstVectors, pageVectors } from "../repositories/memory-facts.js";
import type { Query, SqlValue, Work } from "../sql-port.js";

/* Vectors are compared by the server where the extension pgvector is created in the database. */

/** Numbers that its type holds at most. */
const MOST_NUMBERS = 16_000;
/** Its sums are of 32 bits: so many more than are asked for, which are then compared exactly. */
const MARGIN = 16;

const TABLE = "to_regclass('_service_memory_vectors')";
const HAS_COLUMN = `EXISTS (SELECT FROM pg_catalog.pg_attribute
  WHERE attrelid = ${TABLE} AND attname = 'meaning' AND NOT attisdropped)`;

/** Whether vectors can be compared by the server, are not yet, and the user may change that. */
export const CAN_GET_MEANINGS = `EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'vector')
  AND to_regtype('vector') IS NOT NULL AND NOT ${HAS_COLUMN}
  AND has_schema_privilege(current_schema(), 'CREATE')
  AND coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_catalog.pg_class WHERE oid = ${TABLE}), true)`;

/**
 * A column that the server makes of the text of a vector: NULL for one that it cannot read or that is too long, which is
 * then read here. A number is its sign, exponent and fraction, as IEEE 754 has them.
 */
export const MAKE_MEANINGS: readonly string[] = [
  `CREATE OR REPLACE FUNCTION _service_meaning(encoded TEXT) RETURNS vector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
    DECLARE
      bytes BYTEA;
      numbers REAL[] := '{}';
      high INT;
      fraction INT;
      power INT;
    BEGIN
      bytes := decode(encoded, 'base64');
      IF octet_length(bytes) > ${4 * MOST_NUMBERS} THEN RETURN NULL; END IF;
      FOR at IN 0 .. octet_length(bytes) / 4 - 1 LOOP
        high := get_byte(bytes, 4 * at + 3);
        fraction := get_byte(bytes, 4 * at + 2);
        power := ((high & 127) << 1) | (fraction >> 7);
        fraction := ((fraction & 127) << 16) | (get_byte(bytes, 4 * at + 1) << 8) | get_byte(bytes, 4 * at);
        numbers[at + 1] := (CASE WHEN high > 127 THEN -1 ELSE 1 END)
          * (CASE WHEN power = 0 THEN fraction ELSE fraction + 8388608 END) * 2::FLOAT8 ^ (greatest(power, 1) - 150);
      END LOOP;
      RETURN numbers::vector;
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END $$`,
  `ALTER TABLE _service_memory_vectors
    ADD COLUMN meaning vector GENERATED ALWAYS AS (_service_meaning(vector)) STORED`,
];

const HAS_MEANINGS: Query<boolean> = {
  sql: `SELECT ${HAS_COLUMN}`,
  params: [],
  read: (rows) => rows[0]?.[0] === 1,
};

/** Without those that the server compares. */
export function* pageUncompared(page: VectorPage): Work<FactVector[]> {
  if (!(yield* read(HAS_MEANINGS))) return yield* read(pageVectors(page));
  return yield* read(
    pageVectors(page, { sql: "vector_dims(v.meaning) IS DISTINCT FROM ?", params: [page.length] }),
  );
}

/** Those that may be the nearest, none where the server does not compare. A vector that points nowhere is as far from one as from the other. */
export function* searchMeanings({ question, ...search }: NearestSearch): Work<FactVector[]> {
  if (question.length > MOST_NUMBERS || !(yield* read(HAS_MEANINGS))) return [];
  const near: SqlValue = `[${question.join(",")}]`;
  return yield* read(
    firstVectors(
      { ...search, limit: 2 * search.limit + MARGIN },
      { sql: "vector_dims(v.meaning) = ?", params: [question.length] },
      { sql: "coalesce(nullif(v.meaning <=> ?::vector, 'NaN'), 1)", params: [near] },
    ),
  );
}
