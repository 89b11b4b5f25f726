import { partsOfName, wordsOf } from "../../util/words.js";
import type { FactAddress } from "../memory-records.js";

/** Words of one fact that the index knows. */
const MOST_INDEXED = 5_000;
/** Words of a text that is searched for. */
const MOST_ASKED = 32;
/** Of words in scripts without spaces, which are pairs of characters, and say as much as longer ones. */
const PAIR_WEIGHT = 6;

export function indexedWords({ namespace, key, valueJson }: FactAddress & { valueJson: string }): string {
  const texts: string[] = [];
  collectName(key, texts);
  collect(JSON.parse(valueJson), texts);
  const prefix = prefixOf(namespace);
  return wordsOf(texts.join("\n"), MOST_INDEXED)
    .map((word) => prefix + word)
    .join(" ");
}

/**
 * The words of a question as the index is asked for them: no text of a user can be more than a word. A
 * long one is asked for by its longest words.
 */
export function askedWords(namespace: string, text: string): string[] {
  const words = [...new Set(wordsOf(text, LONGEST_QUESTION))];
  const prefix = prefixOf(namespace);
  return words
    .map((word) => ({ word, weight: isPair(word) ? PAIR_WEIGHT : word.length }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_ASKED)
    .map(({ word }) => `"${prefix}${word}"`);
}

/** Words of a question that are looked at to find the longest. */
const LONGEST_QUESTION = 2_000;

function isPair(word: string): boolean {
  return word.length === 2 && !/^[\p{scx=Latin}\p{N}]+$/u.test(word);
}

/**
 * Words of each namespace are words of their own, so that a search costs nothing for what others remember.
 * Two namespaces may have the same prefix: what is found is compared with the namespace itself.
 */
function prefixOf(namespace: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < namespace.length; at += 1) {
    hash = Math.imul(hash ^ namespace.charCodeAt(at), 0x01000193) >>> 0;
  }
  return `${hash % 10_000_000}_`;
}

/** Texts, numbers and names of members. */
function collect(value: unknown, texts: string[]): void {
  if (typeof value === "string" || typeof value === "number") texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      collectName(name, texts);
      collect(member, texts);
    }
  }
}

function collectName(name: string, texts: string[]): void {
  texts.push(name);
  const parts = partsOfName(name);
  if (parts !== name) texts.push(parts);
}
