import type { EmbeddingModelLike, MemoryFact } from "../model/memory.js";
import type { FactVector, FoundFact, MemoryRecords } from "../store/index.js";
import { embedderName, embedTexts } from "./embed.js";
import { factText } from "./fact-text.js";
import { turnOfLoop } from "../util/own-timers.js";

/** Facts that are looked at between two turns of the event loop. */
const PAGE = 500;
/** Texts that one call of the model is given. */
const PORTION = 96;
/** Characters of a fact that its vector is made of. */
const LONGEST_TEXT = 8_000;

export interface MeaningSearch {
  namespace: string;
  query: string;
  limit: number;
  embedder: EmbeddingModelLike;
  /** Least cosine. */
  threshold: number;
  now(): number;
  signal?: AbortSignal;
}

/**
 * Facts by the exact cosine of their vectors and the question's, all of the namespace compared, here or by the
 * database. Those that have no vector of this model yet, since they are new or have changed, get one first.
 * @throws MEMORY_EMBEDDING_FAILED
 */
export async function recallByMeaning(records: MemoryRecords, search: MeaningSearch): Promise<FoundFact[]> {
  const { embedder, query, signal } = search;
  const [question] = (await embedTexts(embedder, [query], signal)) as [Float32Array];
  const best = new Best(search);
  const { length } = question;
  const compare = (facts: readonly { fact: MemoryFact; vector?: Float32Array }[]) => {
    for (const { fact, vector } of facts) {
      // The model has changed under its name meanwhile.
      if (vector?.length === length) best.add({ fact, score: cosine(question, vector) });
    }
  };
  for await (const page of pages(records, search, length)) {
    compare(await withVectors(records, page, { search, length }));
  }
  const { namespace, limit, now } = search;
  compare(
    await records.nearestVectors({ namespace, model: embedderName(embedder), nowMs: now(), limit, question }),
  );
  return best.found;
}

async function* pages(records: MemoryRecords, { namespace, embedder, now }: MeaningSearch, length: number) {
  const model = embedderName(embedder);
  for (let afterKey: string | undefined; ; ) {
    const page = await records.pageVectors({
      namespace,
      model,
      nowMs: now(),
      limit: PAGE,
      length,
      ...(afterKey !== undefined && { afterKey }),
    });
    yield page;
    if (page.length < PAGE) return;
    afterKey = page.at(-1)?.fact.key;
    // Heartbeats and timers of runs continue meanwhile.
    await turnOfLoop();
  }
}

/** The facts of a page with their vectors; one of another length is of a model that has changed under its name. */
async function withVectors(
  records: MemoryRecords,
  page: readonly FactVector[],
  { search, length }: { search: MeaningSearch; length: number },
): Promise<{ fact: MemoryFact; vector: Float32Array }[]> {
  const { embedder, signal } = search;
  const known: { fact: MemoryFact; vector: Float32Array }[] = [];
  const missing: FactVector[] = [];
  for (const fact of page) {
    if (fact.vector?.length === length) known.push({ fact: fact.fact, vector: fact.vector });
    else missing.push(fact);
  }
  for (let at = 0; at < missing.length; at += PORTION) {
    const portion = missing.slice(at, at + PORTION);
    const texts = portion.map(({ fact }) => factText(fact).slice(0, LONGEST_TEXT));
    const vectors = await embedTexts(embedder, texts, signal);
    const model = embedderName(embedder);
    await records.keepVectors(
      portion.map(({ factNo, revision }, index) => {
        return { factNo, revision, model, vector: vectors[index] as Float32Array };
      }),
    );
    portion.forEach(({ fact }, index) => {
      known.push({ fact, vector: vectors[index] as Float32Array });
    });
  }
  return known;
}

/** 0 where one of them points nowhere. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at] as number, other[at] as number];
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  const size = Math.sqrt(ofOne) * Math.sqrt(ofOther);
  return size === 0 ? 0 : product / size;
}

/** The best so far, each once, best first; of equals the one whose key comes first. */
class Best {
  readonly found: FoundFact[] = [];
  readonly #limit: number;
  readonly #threshold: number;

  constructor({ limit, threshold }: Pick<MeaningSearch, "limit" | "threshold">) {
    this.#limit = limit;
    this.#threshold = threshold;
  }

  add(candidate: FoundFact): void {
    if (candidate.score < this.#threshold) return;
    const { found } = this;
    const last = found.at(-1);
    if (last !== undefined && found.length >= this.#limit && !isBetter(candidate, last)) return;
    if (found.some(({ fact }) => fact.key === candidate.fact.key)) return;
    const at = found.findIndex((known) => isBetter(candidate, known));
    found.splice(at < 0 ? found.length : at, 0, candidate);
    if (found.length > this.#limit) found.pop();
  }
}

/** Keys in the order of databases, which is that of their bytes. */
function isBetter(one: FoundFact, other: FoundFact): boolean {
  if (one.score !== other.score) return one.score > other.score;
  return Buffer.compare(Buffer.from(one.fact.key), Buffer.from(other.fact.key)) < 0;
}
