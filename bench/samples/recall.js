import { createMemoryStore } from "treadle/memory";

// node bench/samples/recall.js FACTS: milliseconds in which the best five of so many facts of one namespace are found.
const facts = Number(process.argv[2]);
const NAMESPACE = "workflow:bench";
let state = 1;

/** From 0 to 1, the same every time. */
function chance() {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

/** As in any language: a few words are in most texts, most words in few. */
function word() {
  return `word${Math.floor(20_000 ** chance()).toString(36)}`;
}

function text(words) {
  return `customer ${Array.from({ length: words }, word).join(" ")}`;
}

const memory = createMemoryStore(":memory:");
for (let n = 0; n < facts; n += 1) await memory.setFact(NAMESPACE, `fact-${n}`, text(20));

const questions = [
  ...Array.from({ length: 20 }, () => text(3)),
  ...Array.from({ length: 20 }, () => text(400)),
  "customer",
  "customer word1 word2 word3",
];
const taken = [];
for (const query of questions) {
  const start = performance.now();
  const found = await memory.recall({ namespace: NAMESPACE, query, topK: 5 });
  taken.push(performance.now() - start);
  if (found.length !== 5) throw new Error(`${found.length} facts were found for ${query.slice(0, 60)}`);
}
taken.sort((a, b) => a - b);
process.stdout.write(JSON.stringify({ ms: taken[Math.floor(taken.length / 2)], worstMs: taken.at(-1) }));
