import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerJsonSchema, validateAnswer } from "../../../src/agents/structured/answer-schema.js";

describe("answerJsonSchema", () => {
  it("describes the input side: defaults are optional, transforms show what goes in", () => {
    const schema = z.object({ a: z.string().default("x"), b: z.string().transform(Number) });
    expect(answerJsonSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string", default: "x" }, b: { type: "string" } },
      required: ["b"],
      additionalProperties: false,
    });
  });

  it("closes nested objects and leaves open ones open", () => {
    const schema = z.object({ inner: z.object({}), open: z.looseObject({}) });
    const { properties } = answerJsonSchema(schema) as { properties: Record<string, object> };
    expect(properties["inner"]).toMatchObject({ additionalProperties: false });
    expect(properties["open"]).toMatchObject({ additionalProperties: {} });
  });

  it("is never empty: every field appears, dates and big integers as strings", () => {
    const schema = z.object({ at: z.date(), big: z.bigint() });
    expect(answerJsonSchema(schema)).toMatchObject({
      properties: {
        at: { type: "string", format: "date-time" },
        big: { type: "string", pattern: "^-?\\d+$" },
      },
      required: ["at", "big"],
    });
  });
});

describe("validateAnswer", () => {
  it("gives the row after defaults and transforms", async () => {
    const schema = z.object({ a: z.string().default("x"), b: z.string().transform((text) => text.length) });
    expect(await validateAnswer(schema, { b: "four" })).toEqual({ ok: true, row: { a: "x", b: 4 } });
  });

  it("waits for asynchronous refinements", async () => {
    const schema = z.object({ a: z.string().refine(async (text) => text !== "bad", "is bad") });
    expect(await validateAnswer(schema, { a: "bad" })).toEqual({ ok: false, issues: ["a: is bad"] });
  });

  it("drops the address columns, even for a strict schema", async () => {
    const answer = { a: 1, runId: "r", nodeId: "n", iteration: 3 };
    expect(await validateAnswer(z.strictObject({ a: z.number() }), answer)).toEqual({
      ok: true,
      row: { a: 1 },
    });
  });

  it("leaves members of nested objects alone, whatever their name", async () => {
    const schema = z.object({ job: z.object({ runId: z.string() }) });
    expect(await validateAnswer(schema, { job: { runId: "7" } })).toMatchObject({ ok: true });
  });

  it("turns date texts into dates where the schema wants dates, at any depth", async () => {
    const schema = z.object({
      at: z.date(),
      list: z.array(z.object({ at: z.date().nullable() })),
      either: z.union([z.date(), z.number()]),
      text: z.string(),
    });
    const iso = "2026-02-03T04:05:06.000Z";
    const answer = { at: iso, list: [{ at: iso }, { at: null }], either: iso, text: iso };
    const when = new Date(iso);
    expect(await validateAnswer(schema, answer)).toEqual({
      ok: true,
      row: { at: when, list: [{ at: when }, { at: null }], either: when, text: iso },
    });
  });

  it("does not change the answer it was given", async () => {
    const answer = { at: "2026-02-03" };
    await validateAnswer(z.object({ at: z.date() }), answer);
    expect(answer).toEqual({ at: "2026-02-03" });
  });

  it("turns integer texts and safe integers into bigints where the schema wants them", async () => {
    const schema = z.object({ a: z.bigint(), b: z.bigint() });
    expect(await validateAnswer(schema, { a: "12345678901234567890", b: 5 })).toEqual({
      ok: true,
      row: { a: 12345678901234567890n, b: 5n },
    });
  });

  it.each([
    ["no date", { at: "soon" }, "at: Invalid input: expected date, received string"],
    ["an absent date", {}, "at: Invalid input: expected date, received undefined"],
  ])("reports %s", async (_name, answer, issue) => {
    expect(await validateAnswer(z.object({ at: z.date() }), answer)).toEqual({ ok: false, issues: [issue] });
  });

  it("names where each issue is", async () => {
    const schema = z.object({ rows: z.array(z.object({ n: z.number() })) });
    const verdict = await validateAnswer(schema, { rows: [{ n: 1 }, { n: "2" }] });
    expect(verdict).toEqual({
      ok: false,
      issues: ["rows[1].n: Invalid input: expected number, received string"],
    });
  });

  it.each([
    ["an array", []],
    ["null", null],
    ["a string", "x"],
  ])("rejects %s", async (_name, answer) => {
    expect(await validateAnswer(z.object({}), answer)).toMatchObject({ ok: false });
  });
});
