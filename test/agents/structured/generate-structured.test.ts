import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { AgentGenerateOptions, AgentLike } from "../../../src/model/agent.js";

const schema = z.object({ title: z.string(), score: z.number() });
const good = { title: "x", score: 1 };

/** An agent that gives the answers in order and keeps what it was asked. */
function scripted(answers: unknown[], members: Partial<AgentLike> = {}) {
  const asked: AgentGenerateOptions[] = [];
  const agent: AgentLike = {
    ...members,
    async generate(args = {}) {
      asked.push(args);
      const answer = answers[asked.length - 1];
      return typeof answer === "function"
        ? (answer as (args: AgentGenerateOptions) => unknown)(args)
        : answer;
    },
  };
  return { agent, asked };
}

describe("what is asked", () => {
  it("appends the schema to the prompt of an agent without native structured output", async () => {
    const { agent, asked } = scripted([good]);
    const result = await generateStructured({ agent, prompt: "Rate it.", schema });
    expect(asked[0]?.prompt).toMatch(/^Rate it\.\n\nAnswer with one bare JSON object[\s\S]*"score"/);
    expect(asked[0]).not.toHaveProperty("outputSchema");
    expect(result.mode).toBe("prompted");
  });

  it("hands the schema to an agent with native structured output and adds no text", async () => {
    const { agent, asked } = scripted([good], { supportsNativeStructuredOutput: true });
    const result = await generateStructured({ agent, prompt: "Rate it.", schema });
    expect(asked[0]?.prompt).toBe("Rate it.");
    expect(asked[0]?.outputSchema).toBe(schema);
    expect(result.mode).toBe("native");
  });

  it("passes the other arguments on to every call", async () => {
    const { agent, asked } = scripted(["no", good]);
    await generateStructured({ agent, prompt: "p", schema, args: { rootDir: "/w", retryAttempt: 2 } });
    expect(asked).toMatchObject([
      { rootDir: "/w", retryAttempt: 2, schemaRetry: 0 },
      { rootDir: "/w", retryAttempt: 2, schemaRetry: 1 },
    ]);
  });

  it("believes an agent that says which mode it used", async () => {
    const { agent } = scripted([{ output: good, mode: "tool" }], { supportsNativeStructuredOutput: true });
    expect((await generateStructured({ agent, prompt: "p", schema })).mode).toBe("tool");
  });
});

describe("which answers are understood", () => {
  it.each([
    ["a plain object", good],
    ["a text", JSON.stringify(good)],
    ["{text}", { text: `Here:\n${JSON.stringify(good)}` }],
    ["{output}", { output: good, text: "done" }],
    ["{output} holding text", { output: JSON.stringify(good) }],
    [
      "the last step with an object",
      {
        text: "done",
        steps: [{ text: '{"title":"old","score":0}' }, { text: JSON.stringify(good) }, { text: "done" }],
      },
    ],
  ])("%s", async (_name, answer) => {
    const { agent } = scripted([answer]);
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result.row).toEqual(good);
    expect(result.schemaRetries).toBe(0);
  });

  it("a row whose columns have the names of an envelope", async () => {
    const { agent } = scripted([{ text: "hello", output: "world" }]);
    const columns = z.object({ text: z.string(), output: z.string() });
    expect((await generateStructured({ agent, prompt: "p", schema: columns })).row).toEqual({
      text: "hello",
      output: "world",
    });
  });

  it("not an envelope without JSON as an empty row", async () => {
    const { agent } = scripted([{ text: "I am done." }]);
    const optional = z.object({ note: z.string().optional() });
    await expect(
      generateStructured({ agent, prompt: "p", schema: optional, maxSchemaRetries: 0 }),
    ).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
  });

  it("not an older step's object when the final text holds an invalid one", async () => {
    const answer = {
      text: '{"title":"new"}',
      steps: [{ text: JSON.stringify(good) }, { text: '{"title":"new"}' }],
    };
    const { agent, asked } = scripted([answer, { title: "new", score: 2 }]);
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result.row).toEqual({ title: "new", score: 2 });
    expect(asked).toHaveLength(2);
  });

  it("address columns are ignored", async () => {
    const { agent } = scripted([{ ...good, runId: "mine", nodeId: "mine", iteration: 9 }]);
    expect((await generateStructured({ agent, prompt: "p", schema })).row).toEqual(good);
  });

  it("the text that an SDK agent rejected by itself", async () => {
    const rejection = Object.assign(new Error("No object generated"), {
      name: "AI_NoObjectGeneratedError",
      text: '{"title":1}',
      usage: { inputTokens: 5, outputTokens: 6 },
    });
    const { agent, asked } = scripted([
      () => {
        throw rejection;
      },
      good,
    ]);
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(asked[1]?.prompt).toContain("title: Invalid input: expected string, received number");
    expect(result.calls[0]?.usage).toEqual({ inputTokens: 5, outputTokens: 6 });
  });
});

describe("an answer that does not match", () => {
  it("goes back with its issues, the task, the answer and the schema", async () => {
    const { agent, asked } = scripted(['{"title":"x","score":"high"}', good]);
    const result = await generateStructured({ agent, prompt: "Rate the book.", schema });
    const correction = asked[1]?.prompt ?? "";
    expect(correction).toContain("- score: Invalid input: expected number, received string");
    expect(correction).toContain("Rate the book.");
    expect(correction).toContain('{"title":"x","score":"high"}');
    expect(correction).toContain("JSON Schema");
    expect(result).toMatchObject({ row: good, schemaRetries: 1 });
  });

  it("is corrected in the agent's session without quoting when the result names one", async () => {
    const { agent, asked } = scripted([
      { text: "no", sessionId: "s1" },
      { text: JSON.stringify(good), sessionId: "s2" },
    ]);
    const result = await generateStructured({ agent, prompt: "Rate the book.", schema });
    expect(asked[1]?.resumeSession).toBe("s1");
    expect(asked[1]?.prompt).not.toContain("Rate the book.");
    expect(result.sessionId).toBe("s2");
  });

  it("is corrected in the session that the agent's events name", async () => {
    const { agent, asked } = scripted([
      (args: AgentGenerateOptions) => {
        args.onEvent?.({ type: "started", engine: "e", title: "t", resume: "from-event" });
        return "no";
      },
      good,
    ]);
    const seen: string[] = [];
    await generateStructured({
      agent,
      prompt: "p",
      schema,
      args: { onEvent: (event) => seen.push(event.type) },
    });
    expect(asked[1]?.resumeSession).toBe("from-event");
    expect(seen).toEqual(["started"]);
  });

  it("gets no text about the schema in native mode", async () => {
    const { agent, asked } = scripted([{ output: {} }, good], { supportsNativeStructuredOutput: true });
    await generateStructured({ agent, prompt: "p", schema });
    expect(asked[1]?.prompt).not.toContain("JSON Schema");
    expect(asked[1]?.outputSchema).toBe(schema);
  });

  it("is announced before each correction", async () => {
    const { agent } = scripted(["no", "", good]);
    const seen: unknown[] = [];
    await generateStructured({ agent, prompt: "p", schema, onSchemaRetry: (retry) => seen.push(retry) });
    expect(seen).toEqual([
      { schemaRetry: 1, issues: ["The answer holds no complete JSON object."], mode: "prompted" },
      { schemaRetry: 2, issues: ["The answer is empty."], mode: "prompted" },
    ]);
  });

  it("fails as INVALID_OUTPUT after three corrections", async () => {
    const { agent, asked } = scripted(["1", "2", "3", "4", good]);
    const failure = await generateStructured({ agent, prompt: "p", schema }).catch((error: unknown) => error);
    expect(asked).toHaveLength(4);
    expect(ServiceError.is(failure, "INVALID_OUTPUT")).toBe(true);
    expect((failure as ServiceError).message).toMatch(/: The answer holds no complete JSON object\. [A-Z]/);
    expect((failure as ServiceError).details).toEqual({
      issues: ["The answer holds no complete JSON object."],
      mode: "prompted",
      schemaRetries: 3,
    });
  });

  it("fails at once with maxSchemaRetries 0", async () => {
    const { agent, asked } = scripted(["no"]);
    await expect(generateStructured({ agent, prompt: "p", schema, maxSchemaRetries: 0 })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });
});

describe("what is recorded", () => {
  it("the usage of each call, also of those before a failure", async () => {
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1 });
    const { agent } = scripted([
      { text: "no", usage: usage(10) },
      () => {
        throw new Error("gone");
      },
    ]);
    const calls: unknown[] = [];
    const failing = generateStructured({ agent, prompt: "p", schema, onCall: (call) => calls.push(call) });
    await expect(failing).rejects.toThrow("gone");
    expect(calls).toEqual([{ schemaRetry: 0, text: "no", usage: usage(10) }]);
  });

  it("one entry per call in the result", async () => {
    const { agent } = scripted([
      { text: "no", usage: { inputTokens: 1, outputTokens: 2 } },
      { output: good, usage: { inputTokens: 3, outputTokens: 4 } },
    ]);
    const { calls, text } = await generateStructured({ agent, prompt: "p", schema });
    expect(calls.map((call) => call.usage?.inputTokens)).toEqual([1, 3]);
    expect(text).toBe(JSON.stringify(good));
  });
});

describe("cancellation", () => {
  it("asks nothing when the signal has already fired", async () => {
    const { agent, asked } = scripted([good]);
    const reason = new Error("cancelled");
    const args = { abortSignal: AbortSignal.abort(reason) };
    await expect(generateStructured({ agent, prompt: "p", schema, args })).rejects.toBe(reason);
    expect(asked).toHaveLength(0);
  });

  it("asks for no correction once the signal has fired", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const { agent, asked } = scripted([
      () => {
        controller.abort(reason);
        return "no";
      },
      good,
    ]);
    const args = { abortSignal: controller.signal };
    await expect(generateStructured({ agent, prompt: "p", schema, args })).rejects.toBe(reason);
    expect(asked).toHaveLength(1);
  });

  it("rejects with the reason of the signal, whatever the agent throws on abort", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const { agent } = scripted([
      () => {
        controller.abort(reason);
        throw new DOMException("aborted", "AbortError");
      },
    ]);
    const args = { abortSignal: controller.signal };
    await expect(generateStructured({ agent, prompt: "p", schema, args })).rejects.toBe(reason);
  });
});

describe("agents that are continued with messages", () => {
  const spoken = (text: string) => ({
    text,
    response: { messages: [{ role: "assistant", content: text }] },
  });

  it("get the correction as the prompt, after all that was said", async () => {
    const { agent, asked } = scripted([spoken("no"), spoken(JSON.stringify(good))]);
    const result = await generateStructured({ agent, prompt: "Rate it.", schema });
    expect(asked[1]?.prompt).toContain("The answer holds no complete JSON object.");
    expect(asked[1]?.messages).toMatchObject([
      { role: "user", content: expect.stringContaining("Rate it.") },
      { role: "assistant", content: "no" },
    ]);
    expect(result.messages).toHaveLength(4);
  });

  const messages = [{ role: "user", content: "earlier" }];

  it("have messages of the caller before the prompt, and the question in the prompt alone", async () => {
    const { agent, asked } = scripted([spoken(JSON.stringify(good))]);
    const result = await generateStructured({ agent, prompt: "Rate it.", schema, args: { messages } });
    expect(asked[0]?.prompt).toContain("Rate it.");
    expect(asked[0]?.messages).toEqual(messages);
    expect(result.messages).toMatchObject([
      { content: "earlier" },
      { content: expect.stringContaining("Rate it.") },
      { role: "assistant" },
    ]);
  });

  it("are given the conversation again with a correction when they keep none", async () => {
    const { agent, asked } = scripted(["no", good]);
    await generateStructured({ agent, prompt: "Rate it.", schema, args: { messages } });
    expect(asked[1]?.messages).toEqual(messages);
    expect(asked[1]?.prompt).toContain("The task was:\n<<<\nRate it.");
  });

  it("are given the question as the last message where they are of the AI SDK, which takes no prompt beside it", async () => {
    const { agent, asked } = scripted([spoken("no"), spoken(JSON.stringify(good))], {
      version: "agent-v1",
    } as Partial<AgentLike>);
    await generateStructured({ agent, prompt: "Rate it.", schema, args: { messages } });
    expect(asked.map(({ prompt }) => prompt)).toEqual([undefined, undefined]);
    expect(asked[0]?.messages).toMatchObject([
      { content: "earlier" },
      { role: "user", content: expect.stringContaining("Rate it.") },
    ]);
    expect(asked[1]?.messages).toHaveLength(4);
  });
});

describe("what agents tell in events alone", () => {
  const tells = (usage: { inputTokens: number; outputTokens: number }, then: () => unknown) => {
    return (args: AgentGenerateOptions) => {
      args.onEvent?.({ type: "completed", engine: "e", ok: true, usage });
      return then();
    };
  };

  it("counts as the usage of the call", async () => {
    const { agent } = scripted([tells({ inputTokens: 8, outputTokens: 2 }, () => JSON.stringify(good))]);
    const { calls } = await generateStructured({ agent, prompt: "p", schema });
    expect(calls[0]?.usage).toEqual({ inputTokens: 8, outputTokens: 2 });
  });

  it("counts even when the call fails", async () => {
    const { agent } = scripted([
      tells({ inputTokens: 8, outputTokens: 2 }, () => {
        throw new Error("gone");
      }),
    ]);
    const calls: unknown[] = [];
    const failing = generateStructured({ agent, prompt: "p", schema, onCall: (call) => calls.push(call) });
    await expect(failing).rejects.toThrow("gone");
    expect(calls).toEqual([{ schemaRetry: 0, usage: { inputTokens: 8, outputTokens: 2 } }]);
  });
});

describe("errors of an agent", () => {
  it("of a provider's SDK are classified and name the agent", async () => {
    const refusal = Object.assign(new Error("Too many requests"), {
      name: "AI_APICallError",
      statusCode: 429,
      responseHeaders: { "retry-after": "1" },
    });
    const { agent } = scripted(
      [
        () => {
          throw refusal;
        },
      ],
      { id: "bare" },
    );
    await expect(generateStructured({ agent, prompt: "p", schema })).rejects.toMatchObject({
      code: "AGENT_QUOTA_EXCEEDED",
      details: { agentId: "bare", status: 429, resetAtMs: expect.any(Number) },
    });
  });

  it("of its own stay what they are", async () => {
    const own = new RangeError("mine");
    const { agent } = scripted([
      () => {
        throw own;
      },
    ]);
    await expect(generateStructured({ agent, prompt: "p", schema })).rejects.toBe(own);
  });
});
