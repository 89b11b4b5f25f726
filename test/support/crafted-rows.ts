import type BetterSqlite3 from "better-sqlite3";
import fc from "./property-tests.js";
import { engineTables } from "../../src/store/engine-tables/all.js";

/** A column of a table that a user with the file may write anything into. */
export interface Place {
  table: string;
  column: string;
}

/** Every column of the engine's tables, and of those of a workflow. */
export function allColumns(db: BetterSqlite3.Database): Place[] {
  const described = engineTables.flatMap(({ name, inOrder }) =>
    inOrder.map((column) => ({ table: name, column: column.name })),
  );
  const generated = db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE '\\_service\\_%' ESCAPE '\\' AND t.name NOT LIKE 'sqlite%'`,
    )
    .all() as Place[];
  return [...described, ...generated];
}

const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, "", "null", "{}", "[]", "0", '"', "{", "\u0000", "__proto__"),
  fc.constantFrom<unknown>(-1, 0, 1, 2, 1.5, -1e300, 9e18, 2 ** 53, Number.POSITIVE_INFINITY),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double(),
  fc.string(),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);

const deep = fc
  .tuple(fc.constantFrom("[", '{"a":'), fc.constantFrom(10, 3_000, 200_000))
  .map(([open, levels]) => `${open.repeat(levels)}1${(open === "[" ? "]" : "}").repeat(levels)}`);

const jsonTexts = fc.oneof(
  { weight: 20, arbitrary: fc.json() },
  { weight: 1, arbitrary: deep },
  { weight: 4, arbitrary: fc.json().map((text) => text.slice(0, -1)) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('{"__proto__":{"a":1}}', '{"$date":"x"}', '{"$bigint":{}}', '{"$object":1}'),
  },
);

/** What is done to the value that stands there. */
export type Craft = { value: unknown } | { member: number; becomes: unknown };

const members = fc
  .tuple(
    fc.nat(40),
    fc.oneof(
      scalars.filter((value) => typeof value !== "bigint"),
      fc.jsonValue(),
    ),
  )
  .map(([member, becomes]) => ({ member, becomes }));

export const crafts: fc.Arbitrary<Craft> = fc.oneof(
  scalars.map((value) => ({ value })),
  jsonTexts.map((value) => ({ value })),
  members,
);

/** The value that a craft makes of the stored one. */
export function crafted(craft: Craft, stored: unknown): unknown {
  if ("value" in craft) return craft.value;
  try {
    return JSON.stringify(withOneChanged(JSON.parse(String(stored)), craft));
  } catch {
    const { becomes } = craft;
    if (typeof becomes === "boolean") return Number(becomes);
    return typeof becomes === "object" && !Buffer.isBuffer(becomes) ? null : becomes;
  }
}

/** The value with its n-th member replaced, counted through all levels. */
function withOneChanged(value: unknown, { member, becomes }: { member: number; becomes: unknown }): unknown {
  let left = member;
  const visit = (at: unknown): unknown => {
    if (left === 0) {
      left = -1;
      return becomes;
    }
    left -= 1;
    if (Array.isArray(at)) return at.map(visit);
    if (typeof at !== "object" || at === null) return at;
    return Object.fromEntries(Object.entries(at).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(value);
}
