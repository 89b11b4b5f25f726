/** The candidate that a mistyped name most likely means; undefined when none is close. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Two letters may have changed places, and a third of a long name may be wrong.
  let least = Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase());
    if (steps >= least) continue;
    least = steps;
    best = candidate;
  }
  return best;
}

/** Letters to insert, delete or replace on the way from one text to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
