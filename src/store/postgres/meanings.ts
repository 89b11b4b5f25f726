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

/** The schema of the extension, quoted: of one that the user may use and whose files are there. */
const EXTENSION = `SELECT quote_ident(n.nspname) FROM pg_catalog.pg_extension e
  JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE')
    AND EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'vector')`;

/** The schema of the extension where vectors can be compared by the server, are not yet, and the user may change that; else NULL. */
export const MEANINGS_TO_GET = `(${EXTENSION} AND NOT ${HAS_COLUMN}
  AND has_schema_privilege(current_schema(), 'CREATE')
  AND coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_catalog.pg_class WHERE oid = ${TABLE}), true))`;

/**
 * A column that the server makes of the text of a vector: NULL for one that it cannot read or that is too long, which is
 * then read here. A number is its sign, exponent and fraction, as IEEE 754 has them.
 *
 * @param schema of the extension: the search_path need not lead to it
 */
export const makeMeanings = (schema: string): readonly string[] => [
  `CREATE OR REPLACE FUNCTION _service_meaning(encoded TEXT) RETURNS ${schema}.vector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
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
      RETURN numbers::${schema}.vector;
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END $$`,
  `ALTER TABLE _service_memory_vectors
    ADD COLUMN meaning ${schema}.vector GENERATED ALWAYS AS (_service_meaning(vector)) STORED`,
];

/** The schema of the extension where the server compares. */
const COMPARED_WITH: Query<string | undefined> = {
  sql: `${EXTENSION} AND ${HAS_COLUMN}`,
  params: [],
  read: (rows) => rows[0]?.[0] as string | undefined,
};

/** A vector with so many numbers has a text of this length, which the server knows without reading either. */
function charactersOf(numbers: number): number {
  return 4 * Math.ceil((numbers * Float32Array.BYTES_PER_ELEMENT) / 3);
}

/** Without those that the server compares. */
export function* pageUncompared(page: VectorPage): Work<FactVector[]> {
  if ((yield* read(COMPARED_WITH)) === undefined) return yield* read(pageVectors(page));
  return yield* read(
    pageVectors(page, {
      sql: "(v.meaning IS NULL OR octet_length(v.vector) <> ?)",
      params: [charactersOf(page.length)],
    }),
  );
}

/** Those that may be the nearest, none where the server does not compare. A vector that points nowhere is as far from one as from the other. */
export function* searchMeanings({ question, ...search }: NearestSearch): Work<FactVector[]> {
  const schema = question.length > MOST_NUMBERS ? undefined : yield* read(COMPARED_WITH);
  if (schema === undefined) return [];
  const near: SqlValue = `[${question.join(",")}]`;
  const distance = `v.meaning OPERATOR(${schema}.<=>) ?::${schema}.vector`;
  return yield* read(
    firstVectors(
      { ...search, limit: 2 * search.limit + MARGIN },
      {
        sql: "v.meaning IS NOT NULL AND octet_length(v.vector) = ?",
        params: [charactersOf(question.length)],
      },
      { sql: `coalesce(nullif(${distance}, 'NaN'), 1)`, params: [near] },
    ),
  );
}
