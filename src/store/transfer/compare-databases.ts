import { createHash } from "node:crypto";
import { type RowSource, readFrom, type TransferTable } from "./row-source.js";
import { enginePart, generatedPart, generatedTables } from "./table-parts.js";

export interface ComparedTable {
  table: string;
  /** Rows in the one and in the other; null where there is no such table. */
  rows: readonly [number | null, number | null];
  /** Columns and all values are the same. */
  equal: boolean;
}

interface Fingerprint {
  rows: number;
  columns: string;
  values: string;
}

/**
 * Compares two databases table by table: columns, numbers of rows, and hashes of their values.
 * @throws what opening and reading throw
 */
export async function compareDatabases(one: string, other: string): Promise<ComparedTable[]> {
  const [left, right] = [await readFrom(one, fingerprints), await readFrom(other, fingerprints)];
  return [...new Set([...left.keys(), ...right.keys()])].map((table) => {
    const [a, b] = [left.get(table), right.get(table)];
    return { table, rows: [a?.rows ?? null, b?.rows ?? null], equal: isSame(a, b) };
  });
}

function isSame(a: Fingerprint | undefined, b: Fingerprint | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.columns === b.columns &&
    a.values === b.values &&
    a.rows === b.rows
  );
}

async function fingerprints(source: RowSource): Promise<Map<string, Fingerprint>> {
  const found = new Map<string, Fingerprint>();
  const tables = [...enginePart, ...(await generatedTables(source)).map(generatedPart)];
  for (const table of tables) found.set(table.name, await fingerprint(source, table));
  return found;
}

const BITS = 128;

/** A sum of the rows' hashes: databases give rows in any order. */
async function fingerprint(source: RowSource, table: TransferTable): Promise<Fingerprint> {
  let rows = 0;
  let sum = 0n;
  for await (const batch of source.batches(table)) {
    rows += batch.length;
    for (const row of batch) {
      const hash = createHash("sha256").update(JSON.stringify(row)).digest("hex");
      sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash.slice(0, BITS / 4)}`));
    }
  }
  return { rows, columns: table.columns.join(), values: sum.toString(16) };
}
