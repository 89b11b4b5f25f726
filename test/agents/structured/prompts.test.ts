import { describe, expect, it } from "vitest";
import { z } from "zod";
import { correctionPrompt, schemaInstructions } from "../../../src/agents/structured/prompts.js";

describe("schemaInstructions", () => {
  const text = schemaInstructions(
    z.object({ title: z.string().describe("At most ten words"), pages: z.int() }),
  );

  it("demands bare JSON in its first line", () => {
    expect(text.split("\n")[0]).toMatch(/one bare JSON object/);
  });

  it("ends with the JSON Schema, descriptions included", () => {
    const schema = JSON.parse(text.slice(text.indexOf("{"))) as object;
    expect(schema).toMatchObject({
      properties: { title: { type: "string", description: "At most ten words" } },
      required: ["title", "pages"],
    });
  });

  it("ask for no JSON where the output is made of one text, and say what that text is", () => {
    const prose = schemaInstructions(z.object({ title: z.string().max(80).describe("Without a full stop") }));
    expect(prose).not.toContain("JSON Schema");
    expect(prose).toContain('the text of "title" alone');
    expect(prose).toContain("title: Without a full stop");
    expect(prose).toContain("at most 80 characters");
  });

  it.each([
    ["a number", z.object({ n: z.number() })],
    ["a text of a fixed form", z.object({ at: z.email() })],
    ["a text that matches a pattern", z.object({ id: z.string().regex(/^[a-z]+$/) })],
    ["a text that may be left out", z.object({ note: z.string().optional() })],
    ["two texts", z.object({ a: z.string(), b: z.string() })],
    ["one of some words", z.object({ kind: z.enum(["a", "b"]) })],
  ])("ask for JSON where the output is %s", (_what, schema) => {
    expect(schemaInstructions(schema)).toContain("JSON Schema");
  });
});

describe("correctionPrompt", () => {
  it("lists the issues", () => {
    const text = correctionPrompt({ issues: ["a: too long", "b: missing"] });
    expect(text).toContain("- a: too long\n- b: missing");
  });

  it("quotes neither task nor answer for an agent that remembers them", () => {
    expect(correctionPrompt({ issues: ["x"] })).not.toContain("<<<");
  });

  it("quotes the answer, the task and the instructions for one that does not", () => {
    const text = correctionPrompt({
      issues: ["x"],
      previousAnswer: "ANSWER",
      task: "TASK",
      instructions: "INSTRUCTIONS",
    });
    expect(text).toContain("<<<\nANSWER\n>>>");
    expect(text).toContain("<<<\nTASK\n>>>");
    expect(text.endsWith("INSTRUCTIONS")).toBe(true);
  });

  it("leaves out the middle of long quotes and says how much", () => {
    const text = correctionPrompt({ issues: ["x"], previousAnswer: `BEGIN${"-".repeat(10_000)}END` });
    expect(text).toContain("BEGIN");
    expect(text).toContain("END");
    expect(text).toContain("[… 6008 characters left out …]");
    expect(text.length).toBeLessThan(4_500);
  });

  it("counts the issues it does not list", () => {
    const issues = Array.from({ length: 25 }, (_, index) => `issue ${index}`);
    const text = correctionPrompt({ issues });
    expect(text).toContain("issue 19");
    expect(text).not.toContain("issue 20");
    expect(text).toContain("- and 5 more");
  });
});
