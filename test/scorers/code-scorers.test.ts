import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createScorer,
  latencyScorer,
  schemaAdherenceScorer,
  weightedScore,
} from "../../src/scorers/index.js";

const input = { input: null, output: { text: "a" } };

describe("schemaAdherenceScorer", () => {
  it("says 1 for what fits and 0 for what does not, naming the field", async () => {
    const scorer = schemaAdherenceScorer();
    const score = (schema: z.ZodType) => scorer.score({ ...input, outputSchema: schema });
    expect(await score(z.object({ text: z.string() }))).toMatchObject({ score: 1 });
    expect(await score(z.object({ text: z.number() }))).toMatchObject({
      score: 0,
      reason: expect.stringContaining("text: "),
    });
  });

  it("skips a task without a schema", async () => {
    expect(await schemaAdherenceScorer().score(input)).toMatchObject({ score: 1, meta: { skipped: true } });
  });
});

describe("latencyScorer", () => {
  const score = async (latencyMs: number) =>
    (await latencyScorer({ targetMs: 100, maxMs: 300 }).score({ ...input, latencyMs })).score;

  it("is 1 up to the target, 0 from the maximum on, and falls evenly in between", async () => {
    expect(await Promise.all([0, 100, 150, 200, 300, 9_000].map(score))).toEqual([1, 1, 0.75, 0.5, 0, 0]);
  });

  it("skips where the duration is unknown", async () => {
    const scorer = latencyScorer({ targetMs: 100, maxMs: 300 });
    expect(await scorer.score(input)).toMatchObject({ score: 1, meta: { skipped: true } });
  });

  it.each([
    [{ targetMs: 100, maxMs: 100 }, "maxMs"],
    [{ targetMs: -1, maxMs: 100 }, "targetMs"],
    [{ targetMs: Number.NaN, maxMs: 100 }, "targetMs"],
    [{ maxMs: 100 }, "targetMs"],
  ])("refuses %j, naming %s", (config, option) => {
    expect(() => latencyScorer(config as never)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(option) }) as never,
    );
  });
});

describe("createScorer", () => {
  it("makes a scorer of its config, and refuses one that lacks a part", () => {
    const config = { id: "a", name: "A", description: "d", score: async () => ({ score: 1 }) };
    expect(createScorer(config)).toEqual(config);
    for (const part of ["id", "name", "description", "score"]) {
      expect(() => createScorer({ ...config, [part]: undefined })).toThrow(
        expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(part) }) as never,
      );
    }
  });
});

describe("weightedScore", () => {
  it("counts each score by its weight", () => {
    const results = { style: { score: 0.5 }, facts: { score: 1 } };
    expect(weightedScore(results, { style: 1, facts: 3 }).score).toBe(0.875);
  });

  it("leaves out what is missing, null, skipped or without weight, and lets the others make up for it", () => {
    const results = {
      style: { score: 0.5 },
      facts: null,
      tone: { score: 0, meta: { skipped: true } },
      extra: { score: 0 },
      none: { score: 0 },
    };
    const weighted = weightedScore(results, { style: 1, facts: 3, tone: 3, absent: 5, none: 0 });
    expect(weighted).toMatchObject({ score: 0.5, meta: { counted: ["style"] } });
  });

  it("is 1 and skipped when nothing counts", () => {
    expect(weightedScore({}, { style: 1 })).toMatchObject({ score: 1, meta: { skipped: true } });
    expect(weightedScore({ style: { score: 0 } }, {})).toMatchObject({ score: 1, meta: { skipped: true } });
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], ["1"], [undefined]])("refuses the score %j", (score) => {
    expect(() => weightedScore({ style: { score: score as never } }, { style: 1 })).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: expect.objectContaining({ option: "results.style.score" }),
      }) as never,
    );
  });

  it("takes a score outside of 0 to 1 for the nearer end", () => {
    const results = { style: { score: -3 }, facts: { score: 7 } };
    expect(weightedScore(results, { style: 1, facts: 3 }).score).toBe(0.75);
  });

  it.each([[-1], [Number.NaN], ["1"]])("refuses the weight %j", (weight) => {
    expect(() => weightedScore({}, { style: weight as never })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }) as never,
    );
  });
});
