/** Upper bounds of histograms. Each set fits one kind of quantity. */

/** 100 ms to about 3.5 minutes: runs, tasks, waits. */
export const DURATION_MS = doubling(100, 12);

/** 1 ms to about 2 s: statements, requests, commands. */
export const FAST_MS = doubling(1, 12);

/** 10 ms to about 80 s: calls of tools. */
export const TOOL_MS = doubling(10, 14);

/** 10 to about 1.3 million tokens of one call. */
export const TOKENS = doubling(10, 18);

/** Where models' context windows end. */
export const CONTEXT_WINDOW_TOKENS: readonly number[] = [50_000, 100_000, 200_000, 500_000, 1_000_000];

/** 100 B to about 3.3 MB. */
export const BYTES = doubling(100, 16);

/** 1 to 2048 things. */
export const COUNT = doubling(1, 12);

function doubling(first: number, length: number): readonly number[] {
  return Array.from({ length }, (_, power) => first * 2 ** power);
}
