import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import type { AgentLike } from "../../../src/model/agent.js";

const text = z.object({ text: z.string() });
const review = z.object({ text: z.string(), score: z.number() });

/** Gives the same answer to every question, and keeps what it was asked. */
function answering(result: unknown, native = false): AgentLike & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    prompts,
    supportsNativeStructuredOutput: native,
    async generate(options) {
      prompts.push(options?.prompt ?? "");
      return result;
    },
  };
}

const ask = (agent: AgentLike, schema: z.ZodObject) =>
  generateStructured({ agent, prompt: "Write.", schema, maxSchemaRetries: 1 });

describe("an answer in prose", () => {
  it.each([
    ["a string", "Ada wrote the first program."],
    ["the text of a result", { text: "Ada wrote the first program." }],
    ["a result with its tokens", { text: "Ada wrote the first program.", usage: { inputTokens: 1 } }],
    ["the output of a result", { output: "Ada wrote the first program." }],
    ["JSON all the same", '{"text": "Ada wrote the first program."}'],
    ["fenced JSON all the same", 'Here:\n```json\n{"text": "Ada wrote the first program."}\n```'],
  ])("is the row of an output that is made of one text: %s", async (_what, result) => {
    const agent = answering(result);
    expect((await ask(agent, text)).row).toEqual({ text: "Ada wrote the first program." });
    expect(agent.prompts[0]).not.toContain("JSON Schema");
  });

  it("is the row as well where an agent that is given the schema returns it and nothing around it", async () => {
    expect((await ask(answering({ text: "Done." }, true), text)).row).toEqual({ text: "Done." });
  });

  it("may quote JSON in between", async () => {
    const prose = 'Send {"id": 1} to the server, then wait.';
    expect((await ask(answering(prose), z.object({ note: z.string() }))).row).toEqual({ note: prose });
  });

  it.each([
    ["more than one member", review, { text: "I cannot do that." }],
    ["one text, asked for as JSON", text, { text: "I cannot do that.", usage: {} }],
    ["one text, said as JSON", text, "I cannot do that."],
  ])("is no row of an output of %s", async (what, schema, result) => {
    await expect(ask(answering(result, what.endsWith("as JSON")), schema)).rejects.toMatchObject({
      code: "INVALID_OUTPUT",
    });
  });

  it.each([
    ["the wrong type", '{"text": 5}'],
    ["the wrong key", '```json\n{"answer": "Ada"}\n```'],
    ["the wrong key, after a sentence", 'Sure!\n```json\n{"answer": "Ada"}\n```'],
    ["a list", '["Ada"]'],
    ["nothing", "  "],
    ["broken JSON", '{"text": "Ada'],
  ])("is not what is meant as JSON: %s", async (_what, answer) => {
    for (const result of [answer, { text: answer }, { output: answer }]) {
      await expect(ask(answering(result), text)).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
    }
  });
});

describe("an answer that was cut off", () => {
  it.each([
    ["prose", text, "Ada wrote the"],
    ["a fragment of JSON", review, '{"text": "Ada wr'],
    ["a draft before the fragment", review, '{"text": "Ada", "score": 1}\nBetter: {"text": "Ad'],
    ["an object that looks complete", review, '{"text": "Ada", "score": 1}'],
  ])("is corrected or refused, never the row: %s", async (_what, schema, cut) => {
    const agent = answering({ text: cut, finishReason: "length" });
    await expect(ask(agent, schema)).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
    expect(agent.prompts[1]).toContain("cut off at the limit of output tokens");
  });
});

describe("the object around an answer", () => {
  it.each([
    ["a text", { text: "No." }, z.object({ text: z.string().optional(), score: z.number().optional() })],
    ["a text and its tokens", { text: "No.", usage: {} }, z.object({ text: z.string(), usage: z.unknown() })],
  ])("is never the row where it holds nothing but %s", async (_what, result, schema) => {
    await expect(ask(answering(result), schema)).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
  });

  it("is the row where it holds the members of the schema", async () => {
    expect((await ask(answering({ text: "Good.", score: 4 }), review)).row).toEqual({
      text: "Good.",
      score: 4,
    });
  });
});
