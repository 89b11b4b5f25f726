import { factColumns, liveFact, readFacts } from "../repositories/memory-facts.js";
import { askedWords } from "../repositories/memory-words.js";
import type { FactSearch, FoundFact } from "../memory-records.js";
import { read } from "../logic/work.js";
import type { Query, SqlRow, SqlValue, Work } from "../sql-port.js";

/** A word that more facts of a namespace have says little about any of them. */
const COMMON = 1_000;
/** Facts that are weighed against each other at most: bm25 looks at each fact of each word. */
const MOST_WEIGHED = 4_000;
/** Of the facts that have common words only, those of so many numbers are looked at, the newest. */
const NEWEST = 50_000;
/** Common words that a fact may have to have at once. */
const MOST_COMMON = 8;

const HOW_OFTEN = `SELECT count(*) FROM (SELECT rowid FROM _service_memory_words WHERE words MATCH ? LIMIT ${COMMON + 1})`;

function howOften(word: string): Query<number> {
  return { sql: HOW_OFTEN, params: [word], read: (rows) => rows[0]?.[0] as number };
}

const FOUND = `FROM _service_memory_words w JOIN _service_memory_facts f ON f.fact_no = w.rowid
  WHERE w.words MATCH ? AND f.namespace = ? AND ${liveFact}`;
const BEST = `SELECT w.rank, ${factColumns} ${FOUND} ORDER BY w.rank, w.rowid DESC LIMIT ?`;
const NEWEST_FIRST = `SELECT 0, ${factColumns} ${FOUND}
  AND w.rowid > (SELECT max(fact_no) - ${NEWEST} FROM _service_memory_facts) ORDER BY w.rowid DESC LIMIT ?`;

/**
 * Facts by their words, within bounded work however many there are: what has the question's rare words is
 * weighed by bm25. Where that is not enough come the newest that have all common ones, then any of them.
 */
export function* searchWords({ namespace, text, limit, nowMs }: FactSearch): Work<FoundFact[]> {
  const { rare, common } = yield* weighWords(askedWords(namespace, text));
  const found = new Map<number, FoundFact>();
  function* look(sql: string, expression: string): Work<void> {
    const params: SqlValue[] = [expression, namespace, nowMs, limit];
    for (const [factNo, hit] of yield* read({ sql, params, read: (rows) => rows.map(toHit) })) {
      if (found.size < limit && !found.has(factNo)) found.set(factNo, hit);
    }
  }
  if (rare.length > 0) yield* look(BEST, rare.join(" OR "));
  const shared = common.slice(0, MOST_COMMON);
  if (found.size < limit && shared.length > 1) yield* look(NEWEST_FIRST, shared.join(" AND "));
  if (found.size < limit && shared.length > 0) yield* look(NEWEST_FIRST, shared.join(" OR "));
  return [...found.values()];
}

function toHit(values: SqlRow): [number, FoundFact] {
  const [{ factNo, fact }] = readFacts([values.slice(1)]) as [ReturnType<typeof readFacts>[number]];
  // The smaller a rank, the better.
  return [factNo, { fact, score: -(values[0] as number) }];
}

/** The rarest words first, as far as all facts that have them can be weighed; and those that too many have. */
function* weighWords(words: readonly string[]): Work<{ rare: string[]; common: string[] }> {
  const known: { word: string; count: number }[] = [];
  for (const word of words) {
    const count = yield* read(howOften(word));
    if (count > 0) known.push({ word, count });
  }
  known.sort((a, b) => a.count - b.count);
  const rare: string[] = [];
  const common: string[] = [];
  let weighed = 0;
  for (const { word, count } of known) {
    weighed += count;
    if (count <= COMMON && weighed <= MOST_WEIGHED) rare.push(word);
    else common.push(word);
  }
  return { rare, common };
}
