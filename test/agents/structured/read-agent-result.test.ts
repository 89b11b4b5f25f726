import { describe, expect, it } from "vitest";
import { readAgentResult } from "../../../src/agents/structured/read-agent-result.js";

/** The shape of an AI SDK result: a class with getters, of which `output` throws when there is none. */
class SdkResult {
  readonly #output: unknown;
  constructor(output?: unknown) {
    this.#output = output;
  }
  get text() {
    return "last";
  }
  get output() {
    if (this.#output === undefined) throw new Error("No output generated.");
    return this.#output;
  }
  get steps() {
    return [{ text: "first" }, { text: "" }, { text: "last" }];
  }
  get usage() {
    return { inputTokens: 1, outputTokens: 1 };
  }
  get totalUsage() {
    return {
      inputTokens: 120,
      inputTokenDetails: { noCacheTokens: 15, cacheReadTokens: 100, cacheWriteTokens: 5 },
      outputTokens: 30,
      outputTokenDetails: { textTokens: 20, reasoningTokens: 10 },
      totalTokens: 150,
    };
  }
  get response() {
    return { modelId: "model-1" };
  }
}

describe("readAgentResult", () => {
  it("reads a string as text", () => {
    expect(readAgentResult("hello")).toEqual({ text: "hello", texts: [] });
  });

  it("reads {text} as text", () => {
    expect(readAgentResult({ text: "hello" })).toMatchObject({ text: "hello", texts: [] });
    expect(readAgentResult({ text: "hello" }).output).toBeUndefined();
  });

  it("reads a plain object as the answer", () => {
    expect(readAgentResult({ title: "x" }).output).toEqual({ title: "x" });
  });

  it("keeps a plain object with a member named text, for the schema to decide", () => {
    const result = { text: "x", score: 1 };
    expect(readAgentResult(result).plain).toBe(result);
  });

  it("reads nothing out of undefined", () => {
    expect(readAgentResult(undefined)).toEqual({ texts: [] });
  });

  it("reads output, text and step texts of an SDK result", () => {
    const reading = readAgentResult(new SdkResult({ a: 1 }));
    expect(reading).toMatchObject({ output: { a: 1 }, text: "last", texts: ["first", "last"] });
    expect(reading.plain).toBeUndefined();
  });

  it("survives a getter that throws", () => {
    const reading = readAgentResult(new SdkResult());
    expect(reading.output).toBeUndefined();
    expect(reading.text).toBe("last");
  });

  it("takes the usage of all steps with its details and the model", () => {
    expect(readAgentResult(new SdkResult()).usage).toEqual({
      inputTokens: 120,
      outputTokens: 30,
      cacheReadTokens: 100,
      cacheWriteTokens: 5,
      reasoningTokens: 10,
      model: "model-1",
    });
  });

  it("takes usage in our own shape", () => {
    const usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 2, model: "m" };
    expect(readAgentResult({ text: "", usage }).usage).toEqual(usage);
  });

  it("takes the flat usage fields of earlier SDKs", () => {
    const usage = { inputTokens: 3, outputTokens: 4, cachedInputTokens: 2, reasoningTokens: 1 };
    expect(readAgentResult({ text: "", usage }).usage).toEqual({
      inputTokens: 3,
      outputTokens: 4,
      cacheReadTokens: 2,
      reasoningTokens: 1,
    });
  });

  it.each([
    ["no object", 7],
    ["no counts", {}],
    ["counts that are no numbers", { inputTokens: "3", outputTokens: Number.NaN }],
    ["unknown counts", { inputTokens: undefined, outputTokens: undefined }],
  ])("reports no usage for %s", (_name, usage) => {
    expect(readAgentResult({ text: "", usage }).usage).toBeUndefined();
  });

  it("reads the session and the mode that the agent names", () => {
    const reading = readAgentResult({ text: "", sessionId: "s1", mode: "tool" });
    expect(reading).toMatchObject({ sessionId: "s1", mode: "tool" });
    expect(readAgentResult({ text: "", sessionId: "", mode: "other" })).not.toHaveProperty("mode");
  });
});
