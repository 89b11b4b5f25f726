import { describe, expect, it } from "vitest";
// @ts-expect-error Programs of bench/ are plain JavaScript.
import { countAll, keptCounts, worseCounts } from "../../bench/counts.js";

type Counts = Record<string, Record<string, number>>;

describe("what a task, an iteration, a run and a resume cost", () => {
  it("is no more than the repository keeps", () => {
    // Speed that is a count is the same on a machine that is ten times busier.
    expect(worseCounts(countAll() as Counts)).toEqual([]);
  });

  it("is compared count by count", () => {
    const kept = keptCounts() as Counts;
    for (const [name, counts] of Object.entries(kept)) {
      for (const what of Object.keys(counts)) {
        const worse = structuredClone(kept);
        (worse[name] as Record<string, number>)[what] = (counts[what] as number) * 1.2 + 1;
        expect(worseCounts(worse), `${name}: ${what}`).toHaveLength(1);
      }
    }
  });
});
