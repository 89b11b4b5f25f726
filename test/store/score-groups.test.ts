import { expect, it } from "vitest";
import { aggregateScores } from "../../src/store/repositories/scores.js";

it("scores that cannot be summed up are reported as a group of rows, by scorer", () => {
  const { read } = aggregateScores({});
  expect(() => read([["style", "Style", 2, 0.5, "low", 1, 0.5, 0.1]])).toThrow(
    expect.objectContaining({
      code: "STORAGE_ERROR",
      message: expect.stringMatching(/^Group of rows "style", "Style" in table _service_scores: min /),
    }),
  );
});
