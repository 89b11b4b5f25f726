import { read } from "../logic/work.js";
import type { FactSearch, FoundFact } from "../memory-records.js";
import { factColumns, liveFact, readFacts } from "../repositories/memory-facts.js";
import { askedWords } from "../repositories/memory-words.js";
import type { SqlRow, Work } from "../sql-port.js";

/** Facts that are weighed against each other at most: each is read for that. */
const MOST_WEIGHED = 4_000;

/** Facts with any of the words, the newest first as far as they are weighed. Parameters: the question, namespace, present. */
const FOUND = `SELECT w.lexemes, ${factColumns} FROM _service_memory_words w
  JOIN _service_memory_facts f ON f.fact_no = w.rowid
  WHERE w.lexemes @@ q.query AND f.namespace = ? AND ${liveFact}
  ORDER BY w.rowid DESC LIMIT ${MOST_WEIGHED}`;

const NAMES = factColumns.replaceAll("f.", "found.");

const BEST = `SELECT ts_rank(found.lexemes, q.query, 1)::float8 AS score, ${NAMES}
  FROM (SELECT to_tsquery('pg_catalog.english', ?) AS query) q, LATERAL (${FOUND}) found
  ORDER BY score DESC, found.fact_no DESC LIMIT ?`;

/** Facts by their words, best first, within bounded work however many there are. */
export function* searchLexemes({ namespace, text, limit, nowMs }: FactSearch): Work<FoundFact[]> {
  const words = askedWords(namespace, text).map(toQuery);
  if (words.length === 0) return [];
  return yield* read({
    sql: BEST,
    params: [words.join(" | "), namespace, nowMs, limit],
    read: (rows) => rows.map(toHit),
  });
}

/** A word and the mark of its namespace before it stand one after the other in the index. */
function toQuery(word: string): string {
  return `'${word.replaceAll('"', "").replaceAll("'", "").replaceAll("\\", "")}'`;
}

function toHit(values: SqlRow): FoundFact {
  const [{ fact }] = readFacts([values.slice(1)]) as [ReturnType<typeof readFacts>[number]];
  return { fact, score: values[0] as number };
}
