/** A source of numbers in [0, 1) that a seed fixes (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The seed of this process: CRASH_SEED, or a new one. */
export function seedFromEnvironment(): number {
  const given = Number(process.env["CRASH_SEED"]);
  return Number.isSafeInteger(given) && given > 0 ? given : Math.trunc(Math.random() * 2 ** 31) + 1;
}
