/** Longer ones are no words. */
const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}]+|\p{So}/gu;
const SYMBOL = /^\p{So}/u;

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

/**
 * The words of a text in order, at most `most`: in lower case, of letters, their marks and digits only.
 * Where a script has no spaces each character and each pair of neighbours counts as a word. A symbol, such as an
 * emoji, is a word by its number: an index may know fewer symbols than there are.
 */
export function wordsOf(text: string, most: number): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    if (words.length >= most) break;
    if (SYMBOL.test(run)) {
      words.push(`x${run.codePointAt(0)?.toString(16)}x`);
      continue;
    }
    let from = 0;
    for (const match of run.matchAll(UNSPACED)) {
      add(words, run.slice(from, match.index));
      addPairs(words, match[0]);
      from = match.index + match[0].length;
    }
    add(words, run.slice(from));
  }
  return words.slice(0, most);
}

/** The parts of a name that is written as one word, such as `orderId`; the name itself comes with its text. */
export function partsOfName(name: string): string {
  return name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
}

function add(words: string[], word: string): void {
  if (word !== "") words.push(word.slice(0, LONGEST_WORD));
}

function addPairs(words: string[], run: string): void {
  const characters = [...run];
  characters.forEach((character, at) => {
    words.push(character);
    const next = characters[at + 1];
    if (next !== undefined) words.push(character + next);
  });
}
